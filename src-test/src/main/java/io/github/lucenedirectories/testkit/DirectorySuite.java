package io.github.lucenedirectories.testkit;

import com.carrotsearch.randomizedtesting.annotations.TimeoutSuite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.tests.mockfile.ExtrasFS;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.tests.util.TimeUnits;
import org.junit.Rule;

/**
 * A suite of tests that one directory is run against.
 *
 * <p>After each test every resource outside the heap is back at what it was before, and no thread
 * is left. Open files can be deleted, as on Linux; a suite that wants it otherwise brings a file
 * system of its own.
 */
@LuceneTestCase.SuppressFileSystems("WindowsFS")
@TimeoutSuite(millis = 30 * TimeUnits.MINUTE)
public abstract class DirectorySuite extends LuceneTestCase {

  /** Puts the command that repeats a failed test into its failure. */
  @Rule public final RepeatCommand repeatCommand = new RepeatCommand();

  /** Checks that a test gives back what it took. */
  @Rule public final NothingLeft nothingLeft = new NothingLeft();

  protected final DirectoryUnderTest subject;

  protected DirectorySuite(DirectoryUnderTest subject) {
    this.subject = subject;
  }

  /** Opens the directory under test over a fresh folder. */
  protected Directory open() throws IOException {
    return subject.open(createTempDir());
  }

  /** Opens the directory under test over a folder. */
  protected Directory open(Path path) throws IOException {
    return subject.open(path);
  }

  /** Writes a whole file. */
  public static void write(Directory directory, String name, byte[] bytes) throws IOException {
    try (IndexOutput out = directory.createOutput(name, IOContext.DEFAULT)) {
      out.writeBytes(bytes, bytes.length);
    }
  }

  /** Reads a whole file. */
  public static byte[] read(Directory directory, String name) throws IOException {
    try (IndexInput in = directory.openInput(name, IOContext.DEFAULT)) {
      return remaining(in);
    }
  }

  /** Reads all bytes from the input's position on. */
  public static byte[] remaining(IndexInput in) throws IOException {
    byte[] bytes = new byte[Math.toIntExact(in.length() - in.getFilePointer())];
    in.readBytes(bytes, 0, bytes.length);
    return bytes;
  }

  /** The names in a directory without those that a mock file system adds to confuse. */
  public static List<String> names(Directory directory) throws IOException {
    return Arrays.stream(directory.listAll()).filter(name -> !ExtrasFS.isExtra(name)).toList();
  }

  /** {@code length} random bytes. */
  public static byte[] randomBytes(int length) {
    byte[] bytes = new byte[length];
    random().nextBytes(bytes);
    return bytes;
  }

  /** Every context that Lucene opens files with, one kind at random. */
  protected static IOContext anyContext() {
    return Contexts.any(random());
  }
}
