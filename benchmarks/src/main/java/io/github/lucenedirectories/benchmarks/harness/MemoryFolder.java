package io.github.lucenedirectories.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where files lie that stand for memory: on persistent memory if the user names some, else on the
 * system's tmpfs, or in its temporary folder where it has none. A run has a folder of its own
 * there, which its {@link Workspace} removes in the end, so that nothing is left of forks that were
 * killed.
 */
public final class MemoryFolder {
  private static final Path TMPFS = Path.of("/dev/shm");
  private static final String PREFIX = "lucene-directories-";

  /* By which a fork learns of its run's folder. */
  private static final String PROPERTY = "lucene-directories.memory";

  private MemoryFolder() {}

  /** A new folder, which the caller removes. */
  public static Path create() throws IOException {
    Path parent = Path.of(System.getProperty(PROPERTY, root().toString()));
    return Files.createTempDirectory(Files.createDirectories(parent), PREFIX);
  }

  /** The flag of a fork's JVM that tells it its run's folder. */
  static String flag(Path folder) {
    return "-D" + PROPERTY + "=" + folder;
  }

  /** Where the folders of runs are that name no other place. */
  static Path root() {
    return Files.isDirectory(TMPFS) && Files.isWritable(TMPFS)
        ? TMPFS
        : Path.of(System.getProperty("java.io.tmpdir"));
  }
}
