package io.github.lucenedirectories.benchmarks.micro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReaderClosesTest {
  private static final int SEGMENTS = 3;
  private static final int CLOSES = 4;

  @TempDir private Path folder;

  static List<String> directories() {
    return DirectoryKind.names();
  }

  @ParameterizedTest
  @MethodSource("directories")
  void everyCountedCloseHasItsThreeTimes(String name) throws Exception {
    try (Directory directory = DirectoryKind.named(name).open(folder)) {
      SegmentedIndex.write(directory, SEGMENTS, true, 1);
      CloseTimes times = new ReaderCloses(directory, spec(SEGMENTS)).measure();
      assertEquals(name, times.directory());
      for (List<Long> nanos : List.of(times.wall(), times.cpu(), times.wakeUps())) {
        assertEquals(CLOSES, nanos.size());
      }
      assertTrue(times.wall().stream().allMatch(n -> n > 0), times.toString());
      assertTrue(times.cpu().stream().allMatch(n -> n > 0), times.toString());
      assertTrue(times.wakeUps().stream().allMatch(n -> n > 0), times.toString());
    }
  }

  @Test
  void anIndexOfOtherSegmentsIsRefused() throws IOException {
    try (Directory directory = new ByteBuffersDirectory()) {
      SegmentedIndex.write(directory, 2, true, 1);
      RunFailedException failure =
          assertThrows(
              RunFailedException.class,
              () -> new ReaderCloses(directory, spec(SEGMENTS)).measure());
      assertEquals("segments=2, expected 3", failure.getMessage());
    }
  }

  @Test
  void segmentsAreCompoundOrNot() throws IOException {
    for (boolean compound : new boolean[] {true, false}) {
      try (Directory directory = new ByteBuffersDirectory()) {
        SegmentedIndex.write(directory, SEGMENTS, compound, 1);
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
          assertEquals(SEGMENTS, reader.leaves().size());
          assertEquals(SEGMENTS * SegmentedIndex.DOCUMENTS, reader.numDocs());
        }
        List<String> files = List.of(directory.listAll());
        assertEquals(compound, files.contains("_0.cfs"), files.toString());
        assertEquals(!compound, files.contains("_0.fdt"), files.toString());
      }
    }
  }

  private static CloseReaderSpec spec(int segments) {
    return new CloseReaderSpec("", segments, true, 2, 1, CLOSES, 0, 1);
  }
}
