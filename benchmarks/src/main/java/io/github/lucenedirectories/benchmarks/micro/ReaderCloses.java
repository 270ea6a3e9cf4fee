package io.github.lucenedirectories.benchmarks.micro;

import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.corpus.Fields;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;

/**
 * Closes readers one after another while threads read from another file of the directory.
 *
 * <p>Each turn goes as a reopen does: wait, open a new reader on the whole index and search with
 * it, close the one before. The closing thread has worked before it closes, so the scheduler owes
 * it nothing.
 */
final class ReaderCloses {
  private static final String BUSY_NAME = "busy.dat";
  private static final int BUSY_BLOCKS = 16;

  private final Directory directory;
  private final CloseReaderSpec spec;
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final List<Long> wall = new ArrayList<>();
  private final List<Long> cpu = new ArrayList<>();
  private final List<Long> wakeUps = new ArrayList<>();

  /**
   * Closes of readers on the directory's index.
   *
   * @param directory holds an index of {@link SegmentedIndex}
   */
  ReaderCloses(Directory directory, CloseReaderSpec spec) {
    this.directory = directory;
    this.spec = spec;
  }

  /** Measures, once. */
  CloseTimes measure() throws IOException, InterruptedException {
    byte[] contents = Block.randomBytes().bytes();
    try (IndexOutput out = directory.createOutput(BUSY_NAME, IOContext.DEFAULT)) {
      for (int i = 0; i < BUSY_BLOCKS; i++) {
        out.writeBytes(contents, contents.length);
      }
    }
    try (IndexInput busy = directory.openInput(BUSY_NAME, IOContext.DEFAULT);
        WakeUp wakeUp = WakeUp.start();
        BusyReaders readers = BusyReaders.start(spec.readers(), busy)) {
      closeAll(wakeUp);
      if (spec.readers() > 0 && readers.reads() == 0) {
        throw new RunFailedException("the busy readers never read: " + directory);
      }
    }
    return new CloseTimes(
        directory.getClass().getSimpleName(), counted(wall), counted(cpu), counted(wakeUps));
  }

  private List<Long> counted(List<Long> all) {
    return List.copyOf(all.subList(spec.warmups(), all.size()));
  }

  private void closeAll(WakeUp wakeUp) throws IOException, InterruptedException {
    for (int i = 0; i < spec.warmups() + spec.closes(); i++) {
      Thread.sleep(spec.pauseMillis());
      wakeUps.add(wakeUp.nanos());
      time(openAndSearch());
    }
  }

  private DirectoryReader openAndSearch() throws IOException {
    DirectoryReader reader = DirectoryReader.open(directory);
    try {
      if (reader.leaves().size() != spec.segments()) {
        throw new RunFailedException(
            "segments=" + reader.leaves().size() + ", expected " + spec.segments());
      }
      IndexSearcher searcher = new IndexSearcher(reader);
      searcher.search(new TermQuery(new Term(Fields.BODY, SegmentedIndex.COMMON_WORD)), 10);
      return reader;
    } catch (Throwable t) {
      reader.close();
      throw t;
    }
  }

  private void time(DirectoryReader reader) throws IOException {
    long cpuStart = threads.getCurrentThreadCpuTime();
    long wallStart = System.nanoTime();
    reader.close();
    wall.add(System.nanoTime() - wallStart);
    cpu.add(threads.getCurrentThreadCpuTime() - cpuStart);
  }
}
