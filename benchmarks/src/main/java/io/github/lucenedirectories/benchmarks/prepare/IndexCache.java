package io.github.lucenedirectories.benchmarks.prepare;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.corpus.Corpus;
import io.github.lucenedirectories.benchmarks.corpus.IndexBuilder;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.Version;

/** Built indexes, one for each corpus, so that a second run with the same text need not wait. */
final class IndexCache {
  private static final int KEY_CHARS = 12;

  private final Path folder;

  IndexCache(Path folder) {
    this.folder = folder;
  }

  /**
   * The path of the corpus's index; it is built first if it is not there.
   *
   * @param vectors whether documents have a vector
   * @param partial where to build, on the same file system
   */
  Path index(Corpus corpus, boolean vectors, Path partial) throws IOException {
    Path index = folder.resolve("index-" + key(corpus, vectors));
    if (Files.isDirectory(index)) {
      return index;
    }
    Workspace.deleteTree(partial);
    try (Directory directory = FSDirectory.open(partial)) {
      new IndexBuilder(vectors).build(corpus, directory);
    } catch (IOException e) {
      Workspace.deleteTree(partial);
      throw UsageException.because("cannot build the index " + index, e);
    } catch (RuntimeException e) {
      Workspace.deleteTree(partial);
      throw e;
    }
    Files.deleteIfExists(partial.resolve("write.lock"));
    Files.move(partial, index, StandardCopyOption.ATOMIC_MOVE);
    return index;
  }

  private static String key(Corpus corpus, boolean vectors) throws IOException {
    String text =
        IndexBuilder.VERSION
            + " "
            + Version.LATEST
            + " "
            + corpus.fingerprint()
            + (vectors ? "" : " without vectors");
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash).substring(0, KEY_CHARS);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
