package io.github.lucenedirectories.benchmarks.watch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Records when this JVM stops its threads, by its flight recorder. Nothing is read while the
 * workload runs: {@link #finish} reads the whole recording. For one thread.
 */
final class PauseRecorder implements AutoCloseable {
  private static final String COLLECTION = "jdk.GCPhasePause";
  private static final String BEGIN = "jdk.SafepointBegin";
  private static final String END = "jdk.SafepointEnd";
  private static final String OPERATION = "jdk.ExecuteVMOperation";

  /* The operation by which all threads are met one by one, as when a shared arena is closed. */
  private static final String HANDSHAKE = "HandshakeAllThreads";

  private final Recording recording = new Recording();

  /** What a stop was for. */
  enum Kind {
    COLLECTION,
    SAFEPOINT,
    HANDSHAKE
  }

  /** One stop. */
  record Pause(Kind kind, Instant start, long nanos) {}

  PauseRecorder() {
    for (String event : List.of(COLLECTION, BEGIN, END, OPERATION)) {
      recording.enable(event).withoutThreshold().withoutStackTrace();
    }
    recording.start();
  }

  /** Ends the recording; returns all that it has, in the order of their ends. */
  List<Pause> finish() throws IOException {
    Path file = Files.createTempFile("pauses", ".jfr");
    try {
      recording.stop();
      recording.dump(file);
      return read(file);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private static List<Pause> read(Path file) throws IOException {
    Map<Long, Instant> begun = new HashMap<>();
    List<Pause> pauses = new ArrayList<>();
    List<RecordedEvent> ends = new ArrayList<>();
    try (RecordingFile events = new RecordingFile(file)) {
      while (events.hasMoreEvents()) {
        RecordedEvent event = events.readEvent();
        switch (event.getEventType().getName()) {
          case COLLECTION -> pauses.add(pause(Kind.COLLECTION, event));
          case BEGIN -> begun.put(event.getLong("safepointId"), event.getStartTime());
          case END -> ends.add(event);
          case OPERATION -> {
            if (HANDSHAKE.equals(event.getString("operation"))) {
              pauses.add(pause(Kind.HANDSHAKE, event));
            }
          }
          default -> {
            // The recorder adds events about itself.
          }
        }
      }
    }
    // A file has its events by thread, so an end may come before its begin.
    for (RecordedEvent end : ends) {
      Instant begin = begun.get(end.getLong("safepointId"));
      if (begin != null) {
        pauses.add(
            new Pause(Kind.SAFEPOINT, begin, Duration.between(begin, end.getEndTime()).toNanos()));
      }
    }
    return pauses;
  }

  private static Pause pause(Kind kind, RecordedEvent event) {
    return new Pause(kind, event.getStartTime(), event.getDuration().toNanos());
  }

  @Override
  public void close() {
    recording.close();
  }
}
