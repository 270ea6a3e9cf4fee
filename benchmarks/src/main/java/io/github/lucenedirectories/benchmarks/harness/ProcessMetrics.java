// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.harness;

import io.github.lucenedirectories.benchmarks.harness.ProcessReading.Value;
import io.github.lucenedirectories.benchmarks.results.Better;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Figures.Figure;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * Records what happens in this process while it is measured: pauses of the JVM by its flight
 * recorder, and what the system counts. {@link #mark} ends one span and begins the next. Nothing is
 * evaluated until {@link #finish}. Any thread may mark.
 */
public final class ProcessMetrics implements AutoCloseable {
  public static final String MEANING =
      "pauses: of the collector; safepoints: all stops of all threads, pauses included; handshakes:"
          + " with all threads one by one, which closing a shared arena needs. For each the sum per"
          + " second and the longest. minor and major faults: page faults without and with a wait"
          + " for a device; read: bytes from devices; written: bytes of dirty pages, even if the"
          + " file was deleted before they reached the device.";

  public static final String MEMORY_MEANING =
      " resident: all memory of the process, mapped files included; anonymous: memory without a"
          + " file behind it, the heap included; mappings: lines of /proc/self/maps.";

  private static final double NANOS = 1e9;
  private static final double MILLIS = 1e6;
  private static final double MEBIBYTE = 1 << 20;
  private static final int COLLECTIONS = 3;

  private static final String COLLECTION = "jdk.GCPhasePause";
  private static final String BEGIN = "jdk.SafepointBegin";
  private static final String END = "jdk.SafepointEnd";
  private static final String OPERATION = "jdk.ExecuteVMOperation";

  private final Recording recording = new Recording();
  private final List<Mark> marks = new ArrayList<>();

  public enum Pause {
    COLLECTION,
    /** A stop of all threads, from the request to the end; those of the collector included. */
    SAFEPOINT,
    /** A handshake with all threads one by one, which closing a shared arena needs. */
    HANDSHAKE
  }

  /** The pauses of one kind that began in a span. */
  public record Pauses(long count, long totalNanos, long longestNanos) {
    static final Pauses NONE = new Pauses(0, 0, 0);

    Pauses plus(Pauses other) {
      return new Pauses(
          count + other.count,
          totalNanos + other.totalNanos,
          Math.max(longestNanos, other.longestNanos));
    }
  }

  /** What happened between two marks; readings are counts of this span, and levels at its end. */
  public record Span(double seconds, Map<Pause, Pauses> pauses, ProcessReading reading) {

    public Pauses pauses(Pause kind) {
      return pauses.getOrDefault(kind, Pauses.NONE);
    }

    Span plus(Span later) {
      Map<Pause, Pauses> sum = new EnumMap<>(Pause.class);
      for (Pause kind : Pause.values()) {
        sum.put(kind, pauses(kind).plus(later.pauses(kind)));
      }
      return new Span(seconds + later.seconds, sum, later.reading.plus(reading));
    }
  }

  private record Mark(Instant time, ProcessReading reading) {}

  private record Stop(Pause kind, Instant start, Instant end) {}

  public ProcessMetrics() {
    for (String event : List.of(COLLECTION, BEGIN, END, OPERATION)) {
      recording.enable(event).withoutThreshold().withoutStackTrace();
    }
    recording.start();
  }

  /** Ends one span and begins the next. It takes about a millisecond. */
  public synchronized void mark() {
    marks.add(new Mark(Instant.now(), ProcessReading.now()));
  }

  /** Ends the recording and returns the spans between the marks, in order. Can be called once. */
  public synchronized List<Span> finish() throws IOException {
    List<Stop> stops = stops();
    List<Span> spans = new ArrayList<>();
    for (int i = 1; i < marks.size(); i++) {
      spans.add(span(marks.get(i - 1), marks.get(i), stops));
    }
    return spans;
  }

  /** As {@link #finish}, for marks in pairs: the sum of what happened inside the pairs. */
  public Span finishParts() throws IOException {
    List<Span> spans = finish();
    Span sum = spans.get(0);
    for (int i = 2; i < spans.size(); i += 2) {
      sum = sum.plus(spans.get(i));
    }
    return sum;
  }

  private static Span span(Mark from, Mark until, List<Stop> stops) {
    Map<Pause, Pauses> pauses = new EnumMap<>(Pause.class);
    for (Stop stop : stops) {
      if (!stop.start().isBefore(from.time()) && stop.start().isBefore(until.time())) {
        long nanos = Duration.between(stop.start(), stop.end()).toNanos();
        pauses.merge(stop.kind(), new Pauses(1, nanos, nanos), Pauses::plus);
      }
    }
    return new Span(
        Duration.between(from.time(), until.time()).toNanos() / NANOS,
        pauses,
        until.reading().since(from.reading()));
  }

  private List<Stop> stops() throws IOException {
    List<RecordedEvent> events;
    Path file = Files.createTempFile("pauses", ".jfr");
    try {
      recording.stop();
      recording.dump(file);
      events = RecordingFile.readAllEvents(file);
    } finally {
      Files.deleteIfExists(file);
    }
    // The file is ordered by thread, so an end may come before its begin.
    Map<Long, Instant> begun = new HashMap<>();
    for (RecordedEvent event : events) {
      if (event.getEventType().getName().equals(BEGIN)) {
        begun.put(event.getLong("safepointId"), event.getStartTime());
      }
    }
    List<Stop> stops = new ArrayList<>();
    for (RecordedEvent event : events) {
      String name = event.getEventType().getName();
      Instant begin = name.equals(END) ? begun.get(event.getLong("safepointId")) : null;
      if (begin != null) {
        stops.add(new Stop(Pause.SAFEPOINT, begin, event.getEndTime()));
      } else if (name.equals(COLLECTION)) {
        stops.add(new Stop(Pause.COLLECTION, event.getStartTime(), event.getEndTime()));
      } else if (name.equals(OPERATION)
          && Objects.equals(event.getString("operation"), "HandshakeAllThreads")) {
        stops.add(new Stop(Pause.HANDSHAKE, event.getStartTime(), event.getEndTime()));
      }
    }
    return stops;
  }

  /** Milliseconds of garbage collection since the JVM started, without a recording. */
  public static long collectionMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .sum();
  }

  /** The bytes on the Java heap after a few full collections. */
  public static long heapAfterCollection() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      ManagementFactory.getMemoryMXBean().gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }

  public static <S> Figures<S> figures(Function<S, @Nullable Span> span) {
    Function<S, @Nullable ProcessReading> reading =
        s -> {
          Span found = span.apply(s);
          return found == null ? null : found.reading();
        };
    return Figures.onPage(
        "The process while it was measured",
        MEANING + MEMORY_MEANING + " These three at the end.",
        Stream.concat(during("", span).stream(), memory(reading).stream()).toList());
  }

  /** What happened in a span; {@code suffix} tells the figures of several spans apart. */
  public static <S> List<Figure<S>> during(String suffix, Function<S, @Nullable Span> span) {
    List<Figure<S>> all = new ArrayList<>();
    for (Pause kind : Pause.values()) {
      String name =
          kind == Pause.COLLECTION ? "pauses" : kind.name().toLowerCase(Locale.ROOT) + "s";
      Function<Span, @Nullable Double> sum =
          s -> s.pauses(kind).totalNanos() / MILLIS / s.seconds();
      Function<Span, @Nullable Double> most = s -> s.pauses(kind).longestNanos() / MILLIS;
      all.add(figure(name + ", all", suffix, "ms/s", span, sum));
      all.add(figure(name + ", longest", suffix, "ms", span, most));
    }
    Function<Span, @Nullable Double> handshakes =
        s -> s.pauses(Pause.HANDSHAKE).count() / s.seconds();
    all.add(figure("handshakes", suffix, "/s", span, handshakes));
    all.add(figure("minor faults", suffix, "/s", span, rate(Value.MINOR_FAULTS, 1)));
    all.add(figure("major faults", suffix, "/s", span, rate(Value.MAJOR_FAULTS, 1)));
    all.add(figure("read", suffix, "MiB/s", span, rate(Value.READ_BYTES, MEBIBYTE)));
    all.add(figure("written", suffix, "MiB/s", span, rate(Value.WRITTEN_BYTES, MEBIBYTE)));
    return all;
  }

  public static <S> List<Figure<S>> memory(Function<S, @Nullable ProcessReading> reading) {
    return List.of(
        figure("resident", " memory", "MiB", reading, level(Value.RESIDENT_BYTES, MEBIBYTE)),
        figure("anonymous", " memory", "MiB", reading, level(Value.ANONYMOUS_BYTES, MEBIBYTE)),
        figure("mappings", "", "", reading, level(Value.MAPPINGS, 1)));
  }

  private static Function<Span, @Nullable Double> rate(Value value, double unit) {
    return span -> level(value, unit * span.seconds()).apply(span.reading());
  }

  private static Function<ProcessReading, @Nullable Double> level(Value value, double unit) {
    return reading -> {
      Long found = reading.get(value);
      return found == null ? null : Double.valueOf(found / unit);
    };
  }

  /** A figure of a part of samples, which may be missing. */
  private static <S, T> Figure<S> figure(
      String heading,
      String suffix,
      String unit,
      Function<S, @Nullable T> part,
      Function<T, @Nullable Double> value) {
    return new Figure<>(
        heading + suffix,
        heading,
        unit,
        Better.NEITHER,
        samples -> {
          T found = part.apply(samples);
          return found == null ? null : value.apply(found);
        });
  }

  @Override
  public void close() {
    recording.close();
  }
}
