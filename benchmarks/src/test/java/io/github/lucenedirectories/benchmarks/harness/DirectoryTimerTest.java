package io.github.lucenedirectories.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.harness.DirectoryTimer.Operation;
import io.github.lucenedirectories.benchmarks.harness.DirectoryTimer.OwnTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;

/** Whose time is counted as what, on a directory where everything takes a while. */
class DirectoryTimerTest {
  private static final long PAUSE_NANOS = 3_000_000;
  private static final int BLOCKS = 3;

  private final DirectoryTimer timer = new DirectoryTimer();
  private final List<String> forwarded = new ArrayList<>();
  private final Directory slow = new Slow();
  private final Directory timed = new TimedDirectory(slow, timer);

  private static void pause() {
    long end = System.nanoTime() + PAUSE_NANOS;
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }

  /** Every timed call takes a while once. */
  private final class Slow extends FilterDirectory {
    Slow() {
      super(new ByteBuffersDirectory());
    }

    @Override
    public String[] listAll() throws IOException {
      pause();
      return in.listAll();
    }

    @Override
    public long fileLength(String name) throws IOException {
      pause();
      return in.fileLength(name);
    }

    @Override
    public Set<String> getPendingDeletions() throws IOException {
      pause();
      return in.getPendingDeletions();
    }

    @Override
    public void deleteFile(String name) throws IOException {
      pause();
      in.deleteFile(name);
    }

    @Override
    public void rename(String source, String dest) throws IOException {
      pause();
      in.rename(source, dest);
    }

    @Override
    public void sync(Collection<String> names) throws IOException {
      pause();
      in.sync(names);
    }

    @Override
    public void syncMetaData() throws IOException {
      pause();
      in.syncMetaData();
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      pause();
      return new SlowOutput(in.createOutput(name, context));
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      pause();
      return new SlowInput(in.openInput(name, context));
    }
  }

  private static final class SlowOutput extends FilterIndexOutput {
    SlowOutput(IndexOutput out) {
      super("slow", out.getName(), out);
    }

    @Override
    public void writeBytes(byte[] bytes, int offset, int length) throws IOException {
      pause();
      super.writeBytes(bytes, offset, length);
    }

    @Override
    public void close() throws IOException {
      pause();
      super.close();
    }
  }

  private final class SlowInput extends FilterIndexInput {
    SlowInput(IndexInput in) {
      super("slow", in);
    }

    @Override
    public void readBytes(byte[] bytes, int offset, int length) throws IOException {
      pause();
      in.readBytes(bytes, offset, length);
    }

    @Override
    public void prefetch(long offset, long length) {
      forwarded.add("prefetch " + offset + " " + length);
    }

    @Override
    public void updateIOContext(IOContext context) {
      forwarded.add("context " + (context == IOContext.DEFAULT));
    }

    @Override
    public Optional<Boolean> isLoaded() {
      forwarded.add("isLoaded");
      return Optional.of(true);
    }

    @Override
    public IndexInput slice(String description, long offset, long length, IOContext context)
        throws IOException {
      forwarded.add("slice " + offset + " " + length);
      return in.slice(description, offset, length, context);
    }

    @Override
    public void close() throws IOException {
      pause();
      in.close();
    }
  }

  private void everything() throws IOException {
    try (IndexOutput out = timed.createOutput("a", IOContext.DEFAULT)) {
      for (int i = 0; i < BLOCKS * TimedDirectory.BLOCK_BYTES; i++) {
        out.writeByte((byte) i);
      }
    }
    try (IndexInput in = timed.openInput("a", IOContext.READONCE)) {
      for (int i = 0; i < BLOCKS * TimedDirectory.BLOCK_BYTES; i++) {
        assertEquals((byte) i, in.readByte());
      }
    }
    timed.listAll();
    timed.fileLength("a");
    timed.getPendingDeletions();
    timed.sync(List.of("a"));
    timed.syncMetaData();
    timed.rename("a", "b");
    timed.deleteFile("b");
  }

  @Test
  void eachOperationHasItsTimeAndItsCalls() throws IOException {
    everything();
    Map<Operation, Integer> expected = new EnumMap<>(Operation.class);
    for (Operation operation : Operation.values()) {
      expected.put(operation, 1);
    }
    expected.put(Operation.WRITE, BLOCKS);
    expected.put(Operation.READ, BLOCKS);
    expected.put(Operation.LOOK, 3);
    expected.put(Operation.SYNC, 2);
    OwnTime own = timer.ofThisThread();
    expected.forEach(
        (operation, calls) ->
            assertTrue(own.of(operation) >= calls * PAUSE_NANOS, operation.label()));
    assertEquals(own, timer.ofAllThreads());
    assertEquals(own.withSync(), own.withoutSync() + own.of(Operation.SYNC));
  }

  @Test
  void threadsHaveAccountsOfTheirOwn() throws Exception {
    timed.listAll();
    OwnTime before = timer.ofThisThread();
    Thread other =
        new Thread(
            () -> {
              try {
                everything();
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    other.start();
    other.join();
    assertEquals(0, timer.ofThisThread().since(before).withSync());
    OwnTime all = timer.ofAllThreads();
    assertTrue(all.since(before).of(Operation.LOOK) >= 3 * PAUSE_NANOS);
    assertEquals(all, before.plus(all.since(before)));
  }

  @Test
  void failuresAreMeasuredAndThrown() {
    assertThrows(IOException.class, () -> timed.openInput("none", IOContext.DEFAULT));
    assertTrue(timer.ofThisThread().of(Operation.OPEN) >= PAUSE_NANOS);
    assertThrows(IOException.class, () -> timed.deleteFile("none"));
    assertTrue(timer.ofThisThread().of(Operation.DELETE) >= PAUSE_NANOS);
  }

  @Test
  void hintsReachTheDirectory() throws IOException {
    try (IndexOutput out = timed.createOutput("a", IOContext.DEFAULT)) {
      out.writeBytes(new byte[100], 100);
    }
    for (IOContext context : List.of(IOContext.DEFAULT, IOContext.READONCE)) {
      forwarded.clear();
      try (IndexInput in = timed.openInput("a", context)) {
        in.prefetch(3, 4);
        in.updateIOContext(IOContext.DEFAULT);
        assertTrue(in.isLoaded().orElseThrow());
        in.slice("s", 5, 6, IOContext.DEFAULT);
      }
      assertEquals(List.of("prefetch 3 4", "context true", "isLoaded", "slice 5 6"), forwarded);
    }
  }

  @Test
  void closingClosesTheOther() throws IOException {
    timed.close();
    assertThrows(AlreadyClosedException.class, slow::listAll);
  }
}
