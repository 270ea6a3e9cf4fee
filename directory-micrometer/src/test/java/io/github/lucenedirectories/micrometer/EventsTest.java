// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.metrics.IoScope;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.ram.CommitJournal;
import io.github.lucenedirectories.ram.NrtCacheDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import io.github.lucenedirectories.warm.WarmStart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The events of Flight Recorder, whose threads Lucene's test framework takes for leaked. */
class EventsTest {

  private static final String PREFIX = "io.github.lucenedirectories.";

  @TempDir private Path folder;

  private static void write(Directory directory, int bytes) throws IOException {
    try (IndexOutput out = directory.createOutput("_0.doc", IOContext.DEFAULT)) {
      out.writeBytes(new byte[bytes], bytes);
    }
  }

  @Test
  void whatHappenedIsRecorded() throws Exception {
    Path file = folder.resolve("events.jfr");
    try (Recording recording = new Recording();
        Directory directory = new NioDirectory(folder.resolve("index"));
        Directory ram = RamDirectory.builder().maxBytes(1 << 20).build()) {
      for (String name : List.of("SlowRead", "Sync")) {
        // Not without one: an event must know how long it took.
        recording.enable(PREFIX + name).withThreshold(Duration.ofNanos(1));
      }
      recording.start();
      write(directory, 100_000);
      directory.sync(List.of("_0.doc"));
      try (IndexInput in = directory.openInput("_0.doc", IOContext.DEFAULT)) {
        in.seek(10);
        in.readBytes(new byte[50_000], 0, 50_000);
      }
      assertThrows(IOException.class, () -> write(ram, 4 << 20));
      try (WarmStart warm = WarmStart.builder(directory).image(folder.resolve("image")).start()) {
        warm.awaitLoaded(Duration.ofSeconds(30));
      }
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> events = RecordingFile.readAllEvents(file);
    RecordedEvent read = event(events, "SlowRead");
    assertTrue(read.getString("what").startsWith("50000 bytes at 10 of "));
    assertTrue(read.getString("what").contains("_0.doc"));
    assertTrue(event(events, "Sync").getString("what").endsWith("_0.doc"));
    assertTrue(event(events, "Refusal").getString("what").contains("memory limit reached"));
    assertTrue(event(events, "WarmStart").getString("what").contains("loadedBytes=0"));
  }

  @Test
  void aJournalSaysWhyItFailed() throws Exception {
    Path file = folder.resolve("events.jfr");
    Path path = folder.resolve("journal");
    try (Recording recording = new Recording();
        CommitJournal journal = CommitJournal.open(path, 1 << 18);
        Directory directory =
            new NrtCacheDirectory(new NioDirectory(folder.resolve("index")), journal)) {
      Path lock = folder.resolve("journal.lock");
      Files.move(lock, folder.resolve("moved"));
      Files.createFile(lock);
      recording.start();
      directory.createOutput("pending_segments_1", IOContext.DEFAULT).close();
      directory.sync(List.of("pending_segments_1"));
      directory.rename("pending_segments_1", "segments_1");
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> events = RecordingFile.readAllEvents(file);
    String refusal = event(events, "Refusal").getString("what");
    assertTrue(refusal.startsWith("the journal takes no more commits: " + path), refusal);
    assertTrue(event(events, "Checkpoint").getString("what").startsWith("files=0"));
  }

  /** The system knows no virtual threads. */
  @Test
  void virtualThreadsHaveNoDeviceFigures() throws Exception {
    Map<String, Double> metrics = new ConcurrentHashMap<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try (IoScope scope = IoScope.begin()) {
                metrics.putAll(scope.metrics());
              }
            })
        .join();
    assertTrue(metrics.containsKey("reads"));
    assertFalse(metrics.containsKey("device.read.bytes"));
  }

  private static RecordedEvent event(List<RecordedEvent> events, String name) {
    List<RecordedEvent> found =
        events.stream()
            .filter(each -> each.getEventType().getName().equals(PREFIX + name))
            .toList();
    assertEquals(1, found.size(), name + " in " + events);
    return found.getFirst();
  }
}
