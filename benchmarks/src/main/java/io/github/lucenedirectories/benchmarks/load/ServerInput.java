package io.github.lucenedirectories.benchmarks.load;

import io.github.lucenedirectories.benchmarks.directories.CacheSize;
import io.github.lucenedirectories.benchmarks.directories.WritableSpec;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.prepare.Prepared;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What servers read and where they write.
 *
 * @param prepared the index
 * @param field its text field
 * @param text the path of a file of documents to update with; null without updates
 * @param tasks the path of a file of lines that can all run on the index
 * @param folder for the directories' files; removed after each fork
 */
record ServerInput(
    Prepared prepared, String field, @Nullable String text, String tasks, Path folder) {
  /* As large as Lucene's documentation proposes. */
  private static final CacheSize CACHE = new CacheSize(5, 60);

  /** What a server does that ends with its first client, on this machine. */
  ServerSpec server(LoadColumn column, LoadPlan.Live live, JvmFlags flags, long seed) {
    return server(column, live, flags, seed, LoadFork.LOOPBACK, 0, true);
  }

  /** What a server does that listens at an address until it is ended. */
  ServerSpec server(
      LoadColumn column,
      LoadPlan.Live live,
      JvmFlags flags,
      long seed,
      String bind,
      int port,
      boolean once) {
    return new ServerSpec(
        column.label(),
        new WritableSpec(column.directory().label(), false, CACHE, folder.toString()),
        prepared.index(),
        prepared.summary(),
        prepared.documents(),
        field,
        text,
        tasks,
        live,
        bind,
        port,
        once,
        flags.flags(),
        seed);
  }
}
