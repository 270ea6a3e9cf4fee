// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.durability;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.CopyOption;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.lucene.tests.mockfile.FilterFileChannel;
import org.apache.lucene.tests.mockfile.FilterFileSystemProvider;
import org.apache.lucene.util.IORunnable;
import org.apache.lucene.util.IOSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A layer over the file system of one folder that knows what of the folder's files would be found
 * after a power cut: bytes that {@code force} was called for, and names as they were when the
 * folder was forced last, with some of the changes since then, in order.
 *
 * <p>All methods may be called from any thread.
 */
final class PowerCutFiles extends FilterFileSystemProvider {

  private final Path folder;
  private final NameJournal journal = new NameJournal(true);

  /** Called before each change and each sync with what is about to happen, in its thread. */
  volatile Consumer<String> before = _ -> {};

  PowerCutFiles(Path folder) {
    super("powercut://", folder.getFileSystem());
    this.folder = folder;
  }

  /** The files that may be found if the power is cut now. */
  synchronized Map<String, byte[]> afterPowerCut(Random random) throws IOException {
    for (String name : journal.names.keySet()) {
      noteBytes(name);
    }
    return journal.afterPowerCut(random);
  }

  private void noteBytes(String name) throws IOException {
    StoredFile file = journal.names.get(name);
    if (file != null) {
      file.written.reset();
      file.written.writeBytes(Files.readAllBytes(folder.resolve(name)));
    }
  }

  private static String nameOf(Path path) {
    return path.getFileName().toString();
  }

  private <T> T opened(Path path, IOSupplier<T> opening) throws IOException {
    before.accept("open " + nameOf(path));
    synchronized (this) {
      T opened = opening.get();
      String name = nameOf(path);
      if (!journal.names.containsKey(name) && Files.isRegularFile(folder.resolve(name))) {
        journal.change(null, name, new StoredFile());
      }
      return opened;
    }
  }

  @Override
  public OutputStream newOutputStream(Path path, OpenOption... options) throws IOException {
    return opened(path, () -> super.newOutputStream(path, options));
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    return opened(path, () -> super.newByteChannel(path, options, attributes));
  }

  @Override
  public FileChannel newFileChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    FileChannel channel = opened(path, () -> super.newFileChannel(path, options, attributes));
    return new FilterFileChannel(channel) {
      @Override
      public void force(boolean metaData) throws IOException {
        before.accept("force " + nameOf(path));
        synchronized (PowerCutFiles.this) {
          StoredFile file = journal.names.get(nameOf(path));
          noteBytes(nameOf(path));
          if (file != null) {
            file.sync();
          } else if (Files.isDirectory(toDelegate(path))) {
            journal.sync();
          }
        }
      }
    };
  }

  @Override
  public void delete(Path path) throws IOException {
    change("delete", path, null, () -> super.delete(path));
  }

  @Override
  public boolean deleteIfExists(Path path) throws IOException {
    if (!Files.exists(path)) {
      return false;
    }
    delete(path);
    return true;
  }

  @Override
  public void move(Path source, Path target, CopyOption... options) throws IOException {
    change("move", source, nameOf(target), () -> super.move(source, target, options));
  }

  private void change(String what, Path from, @Nullable String to, IORunnable change)
      throws IOException {
    before.accept(what + " " + nameOf(from));
    synchronized (this) {
      StoredFile file = journal.names.get(nameOf(from));
      noteBytes(nameOf(from));
      change.run();
      if (file != null) {
        journal.change(nameOf(from), to, file);
      }
    }
  }
}
