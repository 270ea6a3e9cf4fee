package io.github.lucenedirectories.benchmarks.micro;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NIOFSDirectory;

/** A directory that a benchmark can open, by the simple name of its class. */
enum DirectoryKind {
  RAM("RamDirectory", folder -> new RamDirectory()),
  MAPPED("MappedDirectory", MappedDirectory::new),
  NIO("NioDirectory", NioDirectory::new),
  LUCENE_MMAP("MMapDirectory", MMapDirectory::new),
  LUCENE_NIO("NIOFSDirectory", NIOFSDirectory::new),
  LUCENE_HEAP("ByteBuffersDirectory", folder -> new ByteBuffersDirectory());

  /** The directory that every ratio is taken to. */
  static final DirectoryKind BASELINE = LUCENE_MMAP;

  private final String className;
  private final Opener opener;

  DirectoryKind(String className, Opener opener) {
    this.className = className;
    this.opener = opener;
  }

  /** The simple name of the directory's class. */
  String className() {
    return className;
  }

  /** Opens it; a directory in memory makes no use of the folder. */
  Directory open(Path folder) throws IOException {
    return opener.open(folder);
  }

  /** All names, in the order in which a table shows them. */
  static List<String> names() {
    return Arrays.stream(values()).map(DirectoryKind::className).toList();
  }

  /**
   * The directory of that name.
   *
   * @throws UsageException if there is none, naming all there are
   */
  static DirectoryKind named(String name) {
    for (DirectoryKind kind : values()) {
      if (kind.className.equalsIgnoreCase(name)) {
        return kind;
      }
    }
    throw new UsageException(
        "unknown directory '" + name + "': choose from " + String.join(", ", names()));
  }

  @FunctionalInterface
  private interface Opener {
    Directory open(Path folder) throws IOException;
  }
}
