package io.github.lucenedirectories.internal.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.apache.lucene.store.AlreadyClosedException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A file is read while another thread closes it and opens a second one, which may get the first
 * one's descriptor. {@link ReadBesideCloseTest} runs it.
 */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "read before it was closed")
@Outcome(id = "-1, 1", expect = Expect.ACCEPTABLE, desc = "refused, as it was closed")
@State
public class ReadBesideClose {
  /** The folder of the two files. */
  static final String FOLDER = "testkit.stress";

  /** Bytes in each file. */
  static final int LENGTH = 1 << 16;

  static final String FIRST = "first";
  static final String SECOND = "second";
  private static final int READS = 4;
  private static final Path PARENT = Path.of(System.getProperty(FOLDER, ""));

  private final PositionalFile first = open(FIRST);

  /** The byte that a file is full of. */
  static byte content(String name) {
    return (byte) name.charAt(0);
  }

  /** Reads the first file. */
  @Actor
  public void read(II_Result result) {
    try {
      result.r1 = correct(first, FIRST) ? 1 : 0;
    } catch (AlreadyClosedException _) {
      result.r1 = -1;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Closes the first file and reads the second. */
  @Actor
  public void close(II_Result result) {
    try {
      first.close();
      try (PositionalFile second = open(SECOND)) {
        result.r2 = correct(second, SECOND) ? 1 : 0;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static PositionalFile open(String name) {
    try {
      return PositionalFile.open(PARENT.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean correct(PositionalFile file, String name) throws IOException {
    byte[] bytes = new byte[Long.BYTES];
    boolean correct = true;
    for (int i = 0; i < READS; i++) {
      file.read((long) i * LENGTH / READS, bytes, 0, bytes.length);
      correct &= ByteBuffer.wrap(bytes).getLong() == content(name) * 0x0101010101010101L;
    }
    return correct;
  }
}
