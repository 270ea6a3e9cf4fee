package io.github.lucenedirectories.benchmarks.meter;

import java.util.EnumMap;
import java.util.Map;

/**
 * Time that calls to a directory took, and how many there were, by operation.
 *
 * @param nanos for every operation
 * @param calls for every operation; a block of gathered bytes counts as one
 */
public record OwnTime(Map<Operation, Long> nanos, Map<Operation, Long> calls) {

  /** What was added since an earlier state of the same account. */
  public OwnTime since(OwnTime earlier) {
    Sum difference = new Sum();
    for (Operation operation : Operation.values()) {
      difference.add(
          operation,
          nanos(operation) - earlier.nanos(operation),
          calls(operation) - earlier.calls(operation));
    }
    return difference.ownTime();
  }

  /** This and another together. */
  public OwnTime plus(OwnTime other) {
    Sum sum = new Sum();
    for (Operation operation : Operation.values()) {
      sum.add(operation, nanos(operation), calls(operation));
      sum.add(operation, other.nanos(operation), other.calls(operation));
    }
    return sum.ownTime();
  }

  /** The time of one operation. */
  public long nanos(Operation operation) {
    return nanos.getOrDefault(operation, 0L);
  }

  /** The calls of one operation. */
  public long calls(Operation operation) {
    return calls.getOrDefault(operation, 0L);
  }

  /** The time of all operations. */
  public long totalNanos() {
    return nanos.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Nothing yet. */
  public static OwnTime none() {
    return new Sum().ownTime();
  }

  /** Adds up times. For one thread. */
  static final class Sum {
    private final Map<Operation, Long> nanos = new EnumMap<>(Operation.class);
    private final Map<Operation, Long> calls = new EnumMap<>(Operation.class);

    void add(Operation operation, long moreNanos, long moreCalls) {
      nanos.merge(operation, moreNanos, Long::sum);
      calls.merge(operation, moreCalls, Long::sum);
    }

    OwnTime ownTime() {
      return new OwnTime(Map.copyOf(nanos), Map.copyOf(calls));
    }
  }
}
