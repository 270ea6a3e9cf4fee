package io.github.lucenedirectories.benchmarks.harness;

import io.github.lucenedirectories.benchmarks.results.Better;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Figures.Figure;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToLongFunction;

/** Time that calls to a {@link TimedDirectory} took, in nanoseconds. */
public record OwnTime(Map<Operation, Long> nanos) {
  public static final OwnTime NONE = new OwnTime(Map.of());

  /** What a directory is asked to do; {@link #figures} says what the names mean. */
  public enum Operation {
    CREATE,
    WRITE,
    FINISH,
    OPEN,
    PREFETCH,
    CLOSE,
    DELETE,
    RENAME,
    LOOK,
    SYNC;

    private String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public OwnTime {
    nanos = Map.copyOf(nanos);
  }

  static OwnTime of(ToLongFunction<Operation> nanos) {
    Map<Operation, Long> all = new EnumMap<>(Operation.class);
    for (Operation operation : Operation.values()) {
      all.put(operation, nanos.applyAsLong(operation));
    }
    return new OwnTime(all);
  }

  public long of(Operation operation) {
    return nanos.getOrDefault(operation, 0L);
  }

  public long withSync() {
    return nanos.values().stream().mapToLong(Long::longValue).sum();
  }

  public long withoutSync() {
    return withSync() - of(Operation.SYNC);
  }

  /** What was added since an earlier state. */
  public OwnTime since(OwnTime earlier) {
    return of(operation -> of(operation) - earlier.of(operation));
  }

  public OwnTime plus(OwnTime other) {
    return of(operation -> of(operation) + other.of(operation));
  }

  /** A figure of each operation, whose name begins with {@code task}. */
  public static <S> Figures<S> figures(
      String title,
      String meaning,
      String task,
      String unit,
      ToDoubleBiFunction<S, Operation> value) {
    return Figures.onPage(
        title,
        meaning
            + " finish: close of an output; close: of an input; look: listAll, fileLength,"
            + " getPendingDeletions; sync: with syncMetaData.",
        Arrays.stream(Operation.values())
            .map(
                o ->
                    new Figure<S>(
                        task + o.label(),
                        o.label(),
                        unit,
                        Better.LOWER,
                        samples -> value.applyAsDouble(samples, o)))
            .toList());
  }
}
