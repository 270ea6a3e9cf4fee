// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.jmh;

import io.github.lucenedirectories.variants.Sizes;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.io.IOException;
import java.nio.file.Files;
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
  private static final Path PARENT = Path.of("target", "micro");

  /** The file of a benchmark that reads one. */
  static final String NAME = fileName(0);

  /** The name of a variant. */
  @Param({
    Variants.BASELINE,
    "NIOFSDirectory",
    "ByteBuffersDirectory",
    "MappedDirectory",
    "RamDirectory",
    "NioDirectory"
  })
  public String directory = "";

  private @Nullable Path folder;
  private @Nullable Directory open;

  @Setup(Level.Trial)
  public void setUp() throws IOException {
    folder = Files.createTempDirectory(Files.createDirectories(PARENT), "jmh-");
    open = Variants.named(directory, Use.WRITE).open(folder, Sizes.DEFAULT);
    prepare(open);
  }

  @TearDown(Level.Trial)
  public void tearDown() throws IOException {
    IOUtils.close(this::release, open, () -> IOUtils.rm(folder));
  }

  final Directory directory() {
    return Objects.requireNonNull(open, "not set up");
  }

  static String fileName(long segment) {
    return "_" + Long.toString(segment, Character.MAX_RADIX) + ".dat";
  }

  /** Writes files and opens inputs, once the directory is open. */
  abstract void prepare(Directory opened) throws IOException;

  /** Closes what {@link #prepare} opened, before the directory closes. */
  void release() throws IOException {}
}
