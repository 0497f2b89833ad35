package dev.sluice.runs.store;

import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kinds of database that whatever uses a store is tested on. */
public enum TestDatabase {
  SQLITE_IN_MEMORY {
    @Override
    public Database create() {
      return new Database() {
        private @Nullable Store only;

        // One at a time: what is in memory cannot be shared.
        @Override
        public Store open(Time time) {
          only = Store.inMemory(time);
          return only;
        }

        @Override
        public void close() {
          if (only != null) {
            only.close();
          }
        }
      };
    }
  },

  SQLITE_FILE {
    @Override
    public Database create() {
      Path folder = temporary();
      return new Database() {
        @Override
        public Store open(Time time) {
          return Store.open(folder.resolve("state.db"), time);
        }

        @Override
        public void close() {
          delete(folder);
        }
      };
    }
  },

  POSTGRESQL {
    @Override
    public Database create() {
      DatabaseAddress address = PostgresServer.running().newStore();
      return new Database() {
        @Override
        public Store open(Time time) {
          return PostgresDialect.open(address, PostgresServer.LOGIN, time, time::instant);
        }

        @Override
        public void close() {} // goes with the server
      };
    }
  };

  /** A database that stores can be opened on. */
  public interface Database extends AutoCloseable {
    /**
     * Opens it as another process would.
     *
     * @param time the clock of the store, whatever clock the database itself has
     */
    Store open(Time time);

    @Override
    void close();
  }

  /** A new one, with nothing in it. */
  public abstract Database create();

  /** What happens to a store. */
  public interface Story {
    void tell(SimulatedTime time, Store store) throws Exception;
  }

  /** Lets it happen on a new database, in simulated time. */
  public void simulate(long seed, Story story) {
    var unused =
        SimulatedTime.run(
            seed,
            time -> {
              try (Database fresh = create();
                  Store store = fresh.open(time)) {
                story.tell(time, store);
              }
            });
  }

  /** How many seeds it is worth: so many on the fastest, a fraction where each costs more. */
  public long seeds(long most) {
    long times = Integer.getInteger("sluice.seeds", 1);
    return this == SQLITE_IN_MEMORY ? most * times : Math.ceilDiv(most, 20) * times;
  }

  private static Path temporary() {
    try {
      return Files.createTempDirectory("sluice-store");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
