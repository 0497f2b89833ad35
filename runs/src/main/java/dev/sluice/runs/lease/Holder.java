package dev.sluice.runs.lease;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * A process that holds leases: its number, together with what tells it from every other process
 * that ever had or will have that number.
 *
 * <p>On Linux that is the tick of the kernel's clock at which it started (the wall clock would not
 * do: it may be set between two looks), and a machine is one boot of one kernel, seen from one
 * namespace of process numbers: what runs in another container is another machine, since its
 * processes cannot be seen from here. Elsewhere it is the start time that the system tells, and the
 * name of the host. Immutable.
 *
 * @param machine where process numbers mean the same
 * @param pid the process number
 * @param birth when it started, as the system counts; empty if the system does not tell
 * @param host the name of the host, for people
 */
public record Holder(String machine, long pid, String birth, String host) {
  private static final String SEPARATOR = "\n";

  public Holder {
    if ((machine + birth + host).contains(SEPARATOR)) {
      throw new IllegalArgumentException("machine, birth and host must be one line each");
    }
  }

  /** This process. */
  public static Holder self() {
    long pid = ProcessHandle.current().pid();
    return new Holder(machineHere(), pid, birthOf(pid).orElse(""), hostHere());
  }

  /**
   * Whether this process has certainly ended: it ran on this machine, and no process has its number
   * now, or one that started at another time. False if that cannot be told.
   */
  public boolean isProvablyDead() {
    if (!machine.equals(machineHere())) {
      return false;
    }
    Optional<ProcessHandle> found = ProcessHandle.of(pid);
    if (found.isEmpty() || !found.get().isAlive()) {
      return true;
    }
    Optional<String> now = birthOf(pid);
    return !birth.isEmpty() && now.isPresent() && !now.get().equals(birth);
  }

  /** For people: {@code process 4711 on mars}. */
  @Override
  public String toString() {
    return "process " + pid + " on " + host;
  }

  /** As text, for a store. */
  public String encoded() {
    return String.join(SEPARATOR, machine, Long.toString(pid), birth, host);
  }

  /** What was {@linkplain #encoded encoded}. */
  public static Holder decoded(String text) {
    String[] parts = text.split(SEPARATOR, -1);
    return new Holder(parts[0], Long.parseLong(parts[1]), parts[2], parts[3]);
  }

  private static String machineHere() {
    try {
      String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
      return boot + " " + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
    } catch (IOException | UnsupportedOperationException e) {
      return hostHere(); // no Linux
    }
  }

  private static Optional<String> birthOf(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      // The second field is the command in parentheses, with anything in it; the 22nd is the start.
      return Optional.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[19]);
    } catch (IOException e) {
      return ProcessHandle.of(pid)
          .flatMap(process -> process.info().startInstant())
          .map(start -> Long.toString(start.toEpochMilli()));
    }
  }

  private static String hostHere() {
    try {
      return InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT);
    } catch (UnknownHostException e) {
      return "this machine"; // a host without a name
    }
  }
}
