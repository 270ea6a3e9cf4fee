// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.pmem;

import io.github.lucenedirectories.DirectoryProvider;
import io.github.lucenedirectories.pmem.PmemDirectory;
import io.github.lucenedirectories.pmem.PmemEngine;
import io.github.lucenedirectories.pmem.PmemMode;
import java.util.Map;
import org.apache.lucene.store.LockFactory;

/** {@code pmem:FOLDER}. */
public final class PmemProvider implements DirectoryProvider {

  @Override
  public Map<String, Kind> kinds() {
    return Map.of(
        "pmem",
        options -> {
          PmemDirectory.Builder builder = PmemDirectory.builder(options.folder());
          options.set("locks", LockFactory.class, builder::lockFactory);
          options.set("engine", PmemEngine.class, builder::engine);
          options.set("mode", PmemMode.class, builder::mode);
          options.set("initial", Long.class, builder::initialBytes);
          options.set("poolFile", Long.class, builder::poolFileBytes);
          options.set("max", Long.class, builder::maxBytes);
          options.set("chunk", Long.class, builder::chunkBytes);
          options.set("preTouch", Boolean.class, builder::preTouch);
          return builder::build;
        });
  }
}
