package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.internal.os.FileCalls;
import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.NativePath;
import io.github.lucenedirectories.internal.os.NativeTarget;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.tests.mockfile.FilterFileChannel;
import org.apache.lucene.tests.mockfile.FilterFileSystemProvider;
import org.apache.lucene.tests.util.LuceneTestCase;

/** Systems that return fewer bytes than were asked for, as they may after a signal. */
@LuceneTestCase.SuppressFileSystems("*") // what is read natively must be a real file
public class ShortReadsTest extends LibraryTestCase {

  /** Reads that were cut short. */
  private final AtomicLong cut = new AtomicLong();

  /** Of this class because reads ahead are made by other threads. */
  private final Random lengths = new Random(random().nextLong());

  /** How many bytes to read where so many were asked for. */
  private int someOf(int bytes) {
    // Often a few bytes less, so that reads past the page cache end within a sector.
    int n = bytes - lengths.nextInt(lengths.nextBoolean() ? Math.min(bytes, 600) : bytes);
    if (n < bytes) {
      cut.incrementAndGet();
    }
    return n;
  }

  private final class ShortCalls extends FileCalls {
    ShortCalls() {
      super(1 << 12);
    }

    @Override
    public int pread(int descriptor, MemorySegment error, MemorySegment target, int bytes, long pos)
        throws IOException {
      int read = super.pread(descriptor, error, target, bytes, pos);
      if (read == 0) {
        return 0;
      }
      int some = someOf(read);
      // Direct reads can only be asked for as wholes: what is cut off is spoiled instead.
      target.asSlice(some, read - some).fill((byte) 0);
      return some;
    }
  }

  private final class ShortChannels extends FilterFileSystemProvider {
    ShortChannels(Path path) {
      super("short://", path.getFileSystem());
    }

    @Override
    public FileChannel newFileChannel(
        Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
        throws IOException {
      return new FilterFileChannel(super.newFileChannel(path, options, attributes)) {
        @Override
        public int read(ByteBuffer target, long pos) throws IOException {
          return super.read(target.slice(0, someOf(target.remaining())), pos);
        }
      };
    }
  }

  public void testNativeFile() throws IOException {
    byte[] bytes = someBytes();
    try (NativeFile file = openNative(bytes)) {
      checkReads(bytes, file);
    }
  }

  public void testChannelFile() throws IOException {
    byte[] bytes = someBytes();
    Path folder = createTempDir();
    Files.write(folder.resolve("file"), bytes);
    Path layered = new ShortChannels(folder).wrapPath(folder);
    try (ChannelFile file = ChannelFile.open(layered.resolve("file"))) {
      checkReads(bytes, file);
    }
  }

  private static byte[] someBytes() {
    return randomBytes(random().nextInt(1_000, 2_000_000));
  }

  private NativeFile openNative(byte[] bytes) throws IOException {
    assumeTrue(NativeCalls.whyAbsent(), NativeCalls.get().isPresent());
    Path path = createTempFile();
    Files.write(path, bytes);
    NativePath name = NativePath.of(path).orElseThrow();
    return NativeFile.open(path, new NativeTarget(new ShortCalls(), name));
  }

  private void checkReads(byte[] bytes, PositionalFile file) throws IOException {
    for (int i = 0; i < 50; i++) {
      int pos = random().nextInt(bytes.length);
      int n = random().nextInt(bytes.length - pos + 1);
      byte[] expected = Arrays.copyOfRange(bytes, pos, pos + n);
      byte[] onHeap = new byte[n + 2];
      file.read(pos, onHeap, 1, n);
      assertEquals(-1, Arrays.mismatch(expected, Arrays.copyOfRange(onHeap, 1, n + 1)));
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment offHeap = arena.allocate(n);
        file.read(pos, offHeap);
        assertEquals(-1, Arrays.mismatch(expected, offHeap.toArray(ValueLayout.JAVA_BYTE)));
      }
    }
    assertTrue("no read was cut short", cut.get() > 0);
  }
}
