package io.github.lucenedirectories.benchmarks.directories;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A block cache has the block length and the room that its name tells. */
class SizedBlockCacheTest {
  private static final int BYTES = 100_000;

  @TempDir private Path folder;

  @Test
  void namesAreReadAndWrongOnesRefused() {
    String name = "BlockCacheDirectory[64KiB,10%]";
    ReadableDirectory sized = ReadableDirectory.named(name.toLowerCase(Locale.ROOT));
    assertEquals(new SizedBlockCache(64, 10), sized);
    assertEquals(name, sized.label());
    assertEquals(0.1, sized.shareInMemory());
    assertEquals(
        List.of(name, name + "+RamDirectory", "RamDirectory"),
        List.of(
            (name + "," + name + "+RamDirectory,RamDirectory").split(ReadableDirectory.SEPARATOR)));
    for (String size : List.of("5KiB,10%", "2KiB,10%", "512KiB,10%", "10%", "")) {
      UsageException refused =
          assertThrows(
              UsageException.class,
              () -> ReadableDirectory.named("BlockCacheDirectory[" + size + "]"));
      assertTrue(
          String.valueOf(refused.getMessage()).contains("must be like BlockCacheDirectory["));
    }
    for (int share : new int[] {0, 101}) {
      assertThrows(
          UsageException.class,
          () -> ReadableDirectory.named("BlockCacheDirectory[4KiB," + share + "%]"));
    }
  }

  /** A tenth of the file has room for two blocks of eight; half of it has room for all. */
  @Test
  void sizeIsThatOfTheName() throws IOException {
    try (Directory files = FSDirectory.open(folder);
        IndexOutput out = files.createOutput("_0.doc", IOContext.DEFAULT)) {
      out.writeBytes(new byte[BYTES], BYTES);
    }
    assertEquals(0.0, hitRateOfSecondPass("BlockCacheDirectory[4KiB,10%]"));
    assertEquals(1.0, hitRateOfSecondPass("BlockCacheDirectory[4KiB,50%]"));
    assertEquals(0.75, hitRateOfSecondPass("BlockCacheDirectory[64KiB,75%]"));
  }

  /* Of reads of eight blocks of 4 KiB, which lie in two of 64 KiB. */
  private double hitRateOfSecondPass(String name) throws IOException {
    try (Directory cached = ReadableDirectory.named(name).open(folder)) {
      NamedFigures figures = assertInstanceOf(NamedFigures.class, cached);
      for (int pass = 0; pass < 2; pass++) {
        figures.takeFigures();
        for (int i = 0; i < BYTES; i += BYTES / 8) {
          try (IndexInput in = cached.openInput("_0.doc", IOContext.DEFAULT)) {
            in.seek(i);
            in.readByte();
          }
        }
      }
      return Objects.requireNonNull(figures.takeFigures().get("hit rate"));
    }
  }
}
