package io.github.lucenedirectories.benchmarks.micro;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The directory under test, open in a temporary folder for one trial.
 *
 * <p>JMH leaves the order of several fixture methods open, so this class has the only two and
 * subclasses take part through {@link #prepare} and {@link #release}.
 */
@State(Scope.Benchmark)
public abstract class DirectoryState {
  /** The simple name of the directory's class. */
  @Param({
    "RamDirectory",
    "MappedDirectory",
    "NioDirectory",
    "MMapDirectory",
    "NIOFSDirectory",
    "ByteBuffersDirectory"
  })
  public String directory = "";

  private @Nullable TemporaryFolder folder;
  private @Nullable Directory open;

  /** Opens the directory and writes the files that the benchmark reads. */
  @Setup(Level.Trial)
  public void setUp() throws IOException {
    TemporaryFolder newFolder = TemporaryFolder.create();
    folder = newFolder;
    Directory newDirectory = DirectoryKind.named(directory).open(newFolder.path());
    open = newDirectory;
    prepare(newDirectory);
  }

  /** Closes everything and deletes the folder. */
  @TearDown(Level.Trial)
  public void tearDown() throws IOException {
    IOUtils.close(this::release, open, folder);
  }

  /** The open directory. */
  final Directory directory() {
    Directory opened = open;
    if (opened == null) {
      throw new IllegalStateException("not set up: directory=" + directory);
    }
    return opened;
  }

  /** Where its files are, unless they are in memory. */
  final Path folder() {
    return Objects.requireNonNull(folder, "not set up").path();
  }

  /** Writes files and opens inputs, once the directory is open. */
  abstract void prepare(Directory directory) throws IOException;

  /** Closes what {@link #prepare} opened, before the directory closes. */
  abstract void release() throws IOException;
}
