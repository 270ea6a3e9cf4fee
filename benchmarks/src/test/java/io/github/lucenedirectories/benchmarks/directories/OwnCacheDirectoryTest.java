package io.github.lucenedirectories.benchmarks.directories;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The hit rate that a cached directory tells is that of the reads since it was asked last. */
class OwnCacheDirectoryTest {
  private static final int BYTES = 100_000;

  @TempDir private Path folder;

  @Test
  void hitRate() throws IOException {
    try (Directory files = FSDirectory.open(folder);
        IndexOutput out = files.createOutput("_0.doc", IOContext.DEFAULT)) {
      out.writeBytes(new byte[BYTES], BYTES);
    }
    try (Directory cached = BenchmarkDirectory.BLOCK_CACHE.open(folder)) {
      NamedFigures figures = assertInstanceOf(NamedFigures.class, cached);
      assertEquals(Map.of(), figures.takeFigures());
      read(cached);
      assertEquals(Map.of("hit rate", 0.0), figures.takeFigures());
      read(cached);
      assertEquals(Map.of("hit rate", 1.0), figures.takeFigures());
      assertEquals(Map.of(), figures.takeFigures());
    }
  }

  private static void read(Directory directory) throws IOException {
    try (IndexInput in = directory.openInput("_0.doc", IOContext.DEFAULT)) {
      in.seek(BYTES / 2);
      in.readByte();
    }
  }
}
