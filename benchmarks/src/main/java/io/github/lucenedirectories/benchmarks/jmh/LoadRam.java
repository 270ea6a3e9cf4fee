package io.github.lucenedirectories.benchmarks.jmh;

import io.github.lucenedirectories.benchmarks.harness.ByteCount;
import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.ram.RamDirectory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;

/**
 * {@link RamDirectory#load}, checksums verified, against a bare parallel read of the same files
 * into equally fresh memory. All files are in the page cache.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class LoadRam {

  /** Loads all files, and closes the directory. */
  @Benchmark
  public void load(Files files) throws IOException {
    RamDirectory.load(
            files.directory(),
            RamDirectory.builder().loadThreads(Runtime.getRuntime().availableProcessors()))
        .close();
  }

  /** Reads all files into new memory, and releases it. */
  @Benchmark
  public void read(Files files) throws IOException {
    files.read();
  }

  /** The files of an index: the user's, or one of stored fields, with a segment in 64 MB. */
  public static class Files extends DirectoryState {
    private static final double SEGMENT_MEGABYTES = 64;

    /* A thread reads so much at a time. Huge pages begin at these borders. */
    private static final long PIECE_BYTES = 16L << 20;

    private static final long HUGE_PAGE_BYTES = 1L << 21;
    private static final long PAGE_BYTES = 1L << 12;

    /** The path of an index, or "none" to write one. */
    @Param("none")
    public String index = "";

    /** The length of the index that is written. */
    @Param("512m")
    public String indexBytes = "";

    private List<Path> paths = List.of();
    private long fileBytes;

    @Override
    Directory open(Path empty) throws IOException {
      return super.open(index.equals("none") ? empty : Path.of(index));
    }

    @Override
    void prepare(Directory opened) throws IOException {
      if (index.equals("none")) {
        write(opened);
      }
      if (!(opened instanceof FSDirectory files)) {
        throw new IllegalArgumentException("LoadRam needs a directory of files: " + directory);
      }
      Collection<String> names = SegmentInfos.readLatestCommit(opened).files(true);
      paths = names.stream().map(files.getDirectory()::resolve).toList();
      for (Path path : paths) {
        fileBytes += aligned(java.nio.file.Files.size(path), PAGE_BYTES);
      }
      read();
    }

    private void write(Directory opened) throws IOException {
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

    @SuppressWarnings("restricted") // the segment has the bounds of the mapping
    private void read() throws IOException {
      NativeCalls calls = NativeCalls.get().orElseThrow();
      long mapped = fileBytes + HUGE_PAGE_BYTES;
      long address = calls.tryReserve(mapped).orElseThrow();
      try {
        MemorySegment memory =
            MemorySegment.ofAddress(aligned(address, HUGE_PAGE_BYTES)).reinterpret(fileBytes);
        calls.advise(memory, NativeCalls.Advice.HUGE_PAGES);
        readAll(memory);
      } finally {
        calls.release(address, mapped);
      }
    }

    private static long aligned(long bytes, long to) {
      return (bytes + to - 1) & -to;
    }

    private void readAll(MemorySegment memory) throws IOException {
      List<Callable<Void>> pieces = new ArrayList<>();
      long start = 0;
      for (Path path : paths) {
        long length = java.nio.file.Files.size(path);
        for (long at = 0; at < length; at += PIECE_BYTES) {
          long position = at;
          MemorySegment piece =
              memory.asSlice(start + position, Math.min(PIECE_BYTES, length - position));
          pieces.add(() -> read(path, position, piece.asByteBuffer()));
        }
        start += aligned(length, PAGE_BYTES);
      }
      try (ExecutorService threads =
          Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
        for (Future<Void> done : threads.invokeAll(pieces)) {
          done.get();
        }
      } catch (InterruptedException | ExecutionException e) {
        throw new IOException(e);
      }
    }

    private Void read(Path path, long position, ByteBuffer target) throws IOException {
      try (FileChannel channel = FileChannel.open(path)) {
        while (target.hasRemaining()) {
          if (channel.read(target, position + target.position()) < 0) {
            throw new IOException("file has become shorter: " + path);
          }
        }
        return null;
      }
    }
  }
}
