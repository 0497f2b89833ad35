package dev.sluice.dataverse.signin;

import static java.util.Objects.requireNonNull;

import dev.sluice.gate.time.Time;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one identity's token. It is renewed before it expires, by one caller: others go on with the
 * old one while that is valid, and wait otherwise. If a renewal fails while the old one is valid,
 * nobody notices, and it is tried again a little later. Thread-safe.
 */
public final class TokenCache {
  private static final Logger log = LoggerFactory.getLogger(TokenCache.class);
  private static final Duration SPAN_BETWEEN_ATTEMPTS = Duration.ofSeconds(15);

  private final TokenSource source;
  private final Credential credential;
  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();

  // All under the lock, which is never held over a wait.
  private @Nullable Token current;
  private @Nullable String refresh;
  private @Nullable Renewal renewal;
  private boolean postponed;
  private long postponedUntil;

  /** Of one identity. */
  public TokenCache(TokenSource source, Credential credential, Time time) {
    this.source = requireNonNull(source, "source");
    this.credential = requireNonNull(credential, "credential");
    this.time = requireNonNull(time, "time");
  }

  /** A token being got, and who waits for it. */
  private static final class Renewal {
    private final List<Time.Bell> waiting = new ArrayList<>();
    private @Nullable IOException failure;
  }

  /**
   * A token that is valid now, as far as anybody knows.
   *
   * @throws SignInException if the credential is refused
   * @throws ConnectException if the sign-in service cannot be reached, or does not work now
   */
  public String token() throws IOException, InterruptedException {
    while (true) {
      Renewal mine = null;
      Renewal others = null;
      Time.Bell bell = null;
      lock.lock();
      try {
        long now = time.nanos();
        Token token = current;
        boolean valid = token != null && token.expiresAt() - now > 0;
        boolean later = renewal != null || (postponed && postponedUntil - now > 0);
        if (token != null && valid && (token.renewAt() - now > 0 || later)) {
          return token.text();
        }
        if (renewal == null) {
          mine = new Renewal();
          renewal = mine;
        } else {
          others = renewal;
          bell = time.bell();
          others.waiting.add(bell);
        }
      } finally {
        lock.unlock();
      }
      if (mine != null) {
        return renewed(mine);
      }
      await(requireNonNull(others), requireNonNull(bell));
    }
  }

  /** Forgets a token that the service refused; the next caller gets a new one. */
  public void discard(String token) {
    lock.lock();
    try {
      if (current != null && current.text().equals(token)) {
        current = null;
      }
    } finally {
      lock.unlock();
    }
  }

  private String renewed(Renewal mine) throws IOException, InterruptedException {
    String remembered;
    lock.lock();
    try {
      remembered = refresh;
    } finally {
      lock.unlock();
    }
    Token fresh = null;
    IOException failure = null;
    try {
      fresh = source.fetch(credential, remembered);
      return fresh.text();
    } catch (IOException e) {
      failure = e;
      Token old = stillValid();
      if (old == null) {
        throw e;
      }
      log.warn("the token of {} could not be renewed yet: {}", credential, e.getMessage());
      return old.text();
    } finally {
      // After an interrupt, or a mistake, there is neither: the next who waits takes over.
      finish(mine, fresh, failure);
    }
  }

  private void finish(Renewal mine, @Nullable Token fresh, @Nullable IOException failure) {
    List<Time.Bell> woken;
    lock.lock();
    try {
      renewal = null;
      mine.failure = failure;
      woken = List.copyOf(mine.waiting);
      if (fresh != null) {
        current = fresh;
        refresh = fresh.refresh() == null ? refresh : fresh.refresh();
      }
      postponed = failure != null;
      postponedUntil = time.deadline(SPAN_BETWEEN_ATTEMPTS);
    } finally {
      lock.unlock();
    }
    woken.forEach(Time.Bell::ring);
  }

  private @Nullable Token stillValid() {
    lock.lock();
    try {
      Token token = current;
      return token != null && token.expiresAt() - time.nanos() > 0 ? token : null;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for somebody else's renewal; its failure is everybody's. */
  private void await(Renewal others, Time.Bell bell) throws IOException, InterruptedException {
    boolean rung = false;
    try {
      rung = bell.await(Time.NEVER);
    } finally {
      if (!rung) {
        lock.lock();
        try {
          others.waiting.remove(bell);
        } finally {
          lock.unlock();
        }
      }
    }
    IOException failure;
    lock.lock();
    try {
      failure = others.failure;
    } finally {
      lock.unlock();
    }
    // Each waiter throws an exception of its own: one that several threads throw cannot be added
    // to.
    switch (failure) {
      case SignInException refused -> {
        SignInException same =
            new SignInException(refused.code(), String.valueOf(refused.getMessage()));
        same.initCause(refused);
        throw same;
      }
      case IOException other -> {
        ConnectException same = new ConnectException(String.valueOf(other.getMessage()));
        same.initCause(other);
        throw same;
      }
      case null -> {} // look again
    }
  }

  @Override
  public String toString() {
    return "tokens by " + credential;
  }
}
