package io.github.lucenedirectories.benchmarks.jmh;

import io.github.lucenedirectories.benchmarks.harness.ByteCount;
import io.github.lucenedirectories.ram.RamDirectory;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.store.Directory;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;

/** {@link RamDirectory#load}, checksums verified, of files that are in the page cache. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class LoadRam {

  @Benchmark
  public void load(Files files) throws IOException {
    RamDirectory.load(
            files.directory(),
            RamDirectory.builder().loadThreads(Runtime.getRuntime().availableProcessors()))
        .close();
  }

  /** The files of an index of stored fields, with a segment in 64 MB. */
  public static class Files extends DirectoryState {
    private static final double SEGMENT_MEGABYTES = 64;

    @Param("512m")
    public String indexBytes = "";

    @Override
    void prepare(Directory opened) throws IOException {
      byte[] contents = Block.randomBytes().bytes();
      try (IndexWriter writer =
          new IndexWriter(
              opened,
              new IndexWriterConfig()
                  .setRAMBufferSizeMB(SEGMENT_MEGABYTES)
                  .setMergePolicy(NoMergePolicy.INSTANCE)
                  .setUseCompoundFile(false))) {
        for (long left = ByteCount.parse(indexBytes); left > 0; left -= contents.length) {
          writer.addDocument(List.of(new StoredField("contents", contents)));
        }
        writer.commit();
      }
    }
  }
}
