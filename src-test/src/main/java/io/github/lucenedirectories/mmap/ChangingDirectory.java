package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.store.FileKind;
import io.github.lucenedirectories.nio.NioDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOUtils;

/**
 * Reads as {@link HybridDirectory} would if the memory became short, and plentiful again, between
 * any two calls.
 */
public final class ChangingDirectory extends FilterDirectory {

  private final Path path;
  private final Directory positional;

  private ChangingDirectory(Path path, Directory mapped, Directory positional) {
    super(mapped);
    this.path = path;
    this.positional = positional;
  }

  /** Opens a directory in a folder. */
  public static ChangingDirectory open(Path path) throws IOException {
    Directory mapped = new MappedDirectory(path);
    try {
      return new ChangingDirectory(path, mapped, new NioDirectory(path));
    } catch (Throwable t) {
      try (mapped) {
        throw t;
      }
    }
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    // Refuses names that are none, and files that are deleted as soon as nobody reads them.
    fileLength(name);
    return HybridIndexInput.open(
        FileIdentity.of(path.resolve(name)),
        FileKind.of(name, context),
        context,
        flip(),
        (_, _) -> flip(),
        byPositions -> (byPositions ? positional : in).openInput(name, context),
        () -> {});
  }

  /** Not a seeded choice: which thread asks when is not seeded either. */
  private static boolean flip() {
    return ThreadLocalRandom.current().nextBoolean();
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(positional, in);
  }
}
