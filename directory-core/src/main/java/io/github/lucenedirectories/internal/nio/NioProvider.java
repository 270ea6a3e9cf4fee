// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.nio;

import io.github.lucenedirectories.DirectoryProvider;
import io.github.lucenedirectories.nio.NioDirectory;
import java.util.Map;
import org.apache.lucene.store.LockFactory;

/** {@code nio:FOLDER}. */
public final class NioProvider implements DirectoryProvider {

  @Override
  public Map<String, Kind> kinds() {
    return Map.of(
        "nio",
        options -> {
          NioDirectory.Builder builder = NioDirectory.builder(options.folder());
          options.set("locks", LockFactory.class, builder::lockFactory);
          options.set("block", Long.class, bytes -> builder.blockBytes(Math.toIntExact(bytes)));
          options.set("directMerge", Long.class, builder::directMergeBytes);
          return builder::build;
        });
  }
}
