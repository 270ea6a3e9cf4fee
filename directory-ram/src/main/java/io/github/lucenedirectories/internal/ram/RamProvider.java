// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.ram;

import io.github.lucenedirectories.DirectoryOptions;
import io.github.lucenedirectories.DirectoryProvider;
import io.github.lucenedirectories.HugePages;
import io.github.lucenedirectories.ram.NrtCacheDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import java.util.Map;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.LockFactory;
import org.apache.lucene.util.IOSupplier;

/** {@code ram:}, and {@code ram:} or {@code nrt:} and the directory below. */
public final class RamProvider implements DirectoryProvider {

  private static final double MEGABYTE = 1 << 20;

  @Override
  public Map<String, Kind> kinds() {
    return Map.of("ram", RamProvider::ram, "nrt", RamProvider::nrt);
  }

  private static IOSupplier<Directory> ram(DirectoryOptions options) {
    RamDirectory.Builder builder = RamDirectory.builder();
    options.set("name", String.class, builder::name);
    options.set("chunk", Long.class, builder::chunkBytes);
    options.set("max", Long.class, builder::maxBytes);
    options.set("hugePages", HugePages.class, builder::hugePages);
    options.set("preTouch", Boolean.class, builder::preTouch);
    options.set("lockInMemory", Boolean.class, builder::lockInMemory);
    options.set("writeBehind", Long.class, builder::writeBehindBytes);
    options.set("loadThreads", Long.class, count -> builder.loadThreads(Math.toIntExact(count)));
    if (!options.hasMore()) {
      options.set("locks", LockFactory.class, builder::lockFactory);
      return builder::build;
    }
    IOSupplier<Directory> below = options.directory();
    return () -> builder.backing(below.get()).build();
  }

  private static IOSupplier<Directory> nrt(DirectoryOptions options) {
    double[] megabytes = {5, 60};
    options.set("maxMergeSize", Long.class, bytes -> megabytes[0] = bytes / MEGABYTE);
    options.set("maxCached", Long.class, bytes -> megabytes[1] = bytes / MEGABYTE);
    IOSupplier<Directory> below = options.directory();
    return () -> new NrtCacheDirectory(below.get(), megabytes[0], megabytes[1]);
  }
}
