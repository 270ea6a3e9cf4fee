package io.github.lucenedirectories.benchmarks.meter;

import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Adds up the time that calls to a directory take, for each calling thread and {@link Operation}.
 * Any thread may use it; each adds to an account of its own, so that none waits for another.
 */
public final class Meter {
  private final Queue<Account> accounts = new ConcurrentLinkedQueue<>();

  @SuppressWarnings("ThreadLocalUsage") // each meter has accounts of its own
  private final ThreadLocal<Account> mine =
      ThreadLocal.withInitial(
          () -> {
            Account account = new Account();
            accounts.add(account);
            return account;
          });

  /** A call that gives something. */
  interface Call<T> {
    T run() throws IOException;
  }

  /** A call that gives nothing. */
  interface Action {
    void run() throws IOException;
  }

  /** Makes a call and adds its time, also when it throws. */
  <T> T get(Operation operation, Call<T> call) throws IOException {
    long start = System.nanoTime();
    try {
      return call.run();
    } finally {
      addSince(start, operation);
    }
  }

  /** As {@link #get}. */
  void run(Operation operation, Action action) throws IOException {
    long start = System.nanoTime();
    try {
      action.run();
    } finally {
      addSince(start, operation);
    }
  }

  /**
   * Adds the time since a moment, for calls on hot paths.
   *
   * @param startNanos of {@link System#nanoTime}
   */
  void addSince(long startNanos, Operation operation) {
    mine.get().add(operation, System.nanoTime() - startNanos);
  }

  /** What the calling thread has spent so far. */
  public OwnTime ofThisThread() {
    OwnTime.Sum sum = new OwnTime.Sum();
    mine.get().addTo(sum);
    return sum.ownTime();
  }

  /** What all threads have spent so far, also those that have ended. */
  public OwnTime ofAllThreads() {
    OwnTime.Sum sum = new OwnTime.Sum();
    accounts.forEach(account -> account.addTo(sum));
    return sum.ownTime();
  }

  /** Written by one thread, read by any. */
  private static final class Account {
    private final Map<Operation, Spent> spent = new EnumMap<>(Operation.class);

    Account() {
      for (Operation operation : Operation.values()) {
        spent.put(operation, new Spent());
      }
    }

    void add(Operation operation, long took) {
      Objects.requireNonNull(spent.get(operation)).add(took);
    }

    void addTo(OwnTime.Sum sum) {
      spent.forEach((operation, s) -> sum.add(operation, s.nanos.get(), s.calls.get()));
    }
  }

  /** What one thread spent on one operation. */
  private static final class Spent {
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong calls = new AtomicLong();

    void add(long took) {
      // There is one writer: no need to add atomically.
      nanos.lazySet(nanos.getPlain() + took);
      calls.lazySet(calls.getPlain() + 1);
    }
  }
}
