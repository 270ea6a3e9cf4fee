package io.github.lucenedirectories.benchmarks.pmem;

import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.pmem.PmemDirectory;
import io.github.lucenedirectories.pmem.PmemEngine;
import io.github.lucenedirectories.pmem.PmemMode;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.store.LockObtainFailedException;
import org.apache.lucene.util.IOConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say how pools are opened, and the opening. */
final class Pools {

  @Option(
      names = "--engine",
      paramLabel = "ENGINE",
      description = "LLPL or JDK (default: LLPL where it can be loaded and serves the mode)")
  private @Nullable PmemEngine engine;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      description = "PMEM, FILE or EMULATED (default: PMEM where the file system can, else FILE)")
  private @Nullable PmemMode mode;

  /**
   * Opens pools that are there, never makes any.
   *
   * @throws UsageException if there are none, or they are in use
   * @throws RunFailedException if they are damaged, or the work fails
   */
  void open(Path folder, IOConsumer<PmemDirectory> work) {
    if (!Files.exists(folder)) {
      throw new UsageException("no such folder: " + folder);
    }
    if (!Files.isDirectory(folder)) {
      throw new UsageException("not a folder: " + folder);
    }
    if (!hasPools(folder)) {
      throw new UsageException("no pools: " + folder + " has no file pool-00000.pmem");
    }
    open(folder, builder(folder), work);
  }

  /** Whether a folder has a pool file; a folder that is not there has none. */
  static boolean hasPools(Path folder) {
    if (!Files.exists(folder)) {
      return false;
    }
    try (DirectoryStream<Path> pools = Files.newDirectoryStream(folder, "*.pmem")) {
      return pools.iterator().hasNext();
    } catch (IOException e) {
      throw new UsageException("cannot read " + folder + ": " + oneLine(e), e);
    }
  }

  /** A builder with what the user chose. */
  PmemDirectory.Builder builder(Path folder) {
    PmemDirectory.Builder builder = PmemDirectory.builder(folder);
    if (engine != null) {
      builder.engine(engine);
    }
    if (mode != null) {
      builder.mode(mode);
    }
    return builder;
  }

  /** Opens a directory, makes it where there is none, and works on it. */
  static void open(Path folder, PmemDirectory.Builder builder, IOConsumer<PmemDirectory> work) {
    try (PmemDirectory directory = build(folder, builder)) {
      work.accept(directory);
    } catch (IOException e) {
      throw new RunFailedException(oneLine(e), e);
    }
  }

  private static PmemDirectory build(Path folder, PmemDirectory.Builder builder) {
    try {
      return builder.build();
    } catch (LockObtainFailedException e) {
      throw new UsageException(
          "locked pools: another process has " + folder + " open; close it first", e);
    } catch (CorruptIndexException | IndexFormatTooNewException e) {
      throw new RunFailedException("damaged pools: " + oneLine(e), e);
    } catch (IOException | IllegalArgumentException e) {
      throw new UsageException("cannot open " + folder + ": " + oneLine(e), e);
    }
  }

  /** The first line of the message, with the kind of error where the message is a bare name. */
  static String oneLine(Throwable e) {
    String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    return e instanceof FileSystemException || e.getMessage() == null
        ? e.getClass().getSimpleName() + ": " + message
        : message;
  }
}
