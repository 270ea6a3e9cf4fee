package io.github.lucenedirectories.benchmarks.harness;

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
import java.util.Map;
import java.util.Objects;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Records what happens in this process while it is measured: pauses of the JVM by its flight
 * recorder, and what the system counts. {@link #mark} ends one span and begins the next. Nothing is
 * evaluated until {@link #finish}. Any thread may mark.
 */
public final class ProcessMetrics implements AutoCloseable {
  private static final double NANOS = 1e9;
  private static final int COLLECTIONS = 3;

  private static final String COLLECTION = "jdk.GCPhasePause";
  private static final String BEGIN = "jdk.SafepointBegin";
  private static final String END = "jdk.SafepointEnd";
  private static final String OPERATION = "jdk.ExecuteVMOperation";

  private final Recording recording = new Recording();
  private final List<Mark> marks = new ArrayList<>();

  /** Why the JVM stopped threads. */
  public enum Pause {
    /** A pause of the garbage collector. */
    COLLECTION,
    /** A stop of all threads, from the request to the end; those of the collector included. */
    SAFEPOINT,
    /** A handshake with all threads one by one, which closing a shared arena needs. */
    HANDSHAKE
  }

  /**
   * The pauses of one kind in a span.
   *
   * @param count that began in it
   * @param longestNanos 0 if there was none
   */
  public record Pauses(long count, long totalNanos, long longestNanos) {
    static final Pauses NONE = new Pauses(0, 0, 0);

    Pauses plus(Pauses other) {
      return new Pauses(
          count + other.count,
          totalNanos + other.totalNanos,
          Math.max(longestNanos, other.longestNanos));
    }
  }

  /**
   * What happened between two marks.
   *
   * @param reading counts of this span, and levels at its end
   */
  public record Span(double seconds, Map<Pause, Pauses> pauses, ProcessReading reading) {

    /** The pauses of one kind. */
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

  private record Stop(Pause kind, Instant start, long nanos) {}

  /** Starts the recording. */
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
        pauses.merge(stop.kind(), new Pauses(1, stop.nanos(), stop.nanos()), Pauses::plus);
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
      switch (event.getEventType().getName()) {
        case COLLECTION -> stops.add(stop(Pause.COLLECTION, event));
        case END -> {
          Instant begin = begun.get(event.getLong("safepointId"));
          if (begin != null) {
            long nanos = Duration.between(begin, event.getEndTime()).toNanos();
            stops.add(new Stop(Pause.SAFEPOINT, begin, nanos));
          }
        }
        case OPERATION -> {
          if (Objects.equals(event.getString("operation"), "HandshakeAllThreads")) {
            stops.add(stop(Pause.HANDSHAKE, event));
          }
        }
        default -> {
          // A begin, or what the recorder adds about itself.
        }
      }
    }
    return stops;
  }

  private static Stop stop(Pause kind, RecordedEvent event) {
    return new Stop(kind, event.getStartTime(), event.getDuration().toNanos());
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

  @Override
  public void close() {
    recording.close();
  }
}
