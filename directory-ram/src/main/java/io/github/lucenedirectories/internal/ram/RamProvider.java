// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.ram;

import io.github.lucenedirectories.HugePages;
import io.github.lucenedirectories.internal.uri.DirectoryProvider;
import io.github.lucenedirectories.internal.uri.UriOptions;
import io.github.lucenedirectories.ram.CommitJournal;
import io.github.lucenedirectories.ram.NrtCacheDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOSupplier;

/** {@code ram:}, and {@code ram:} or {@code nrt:} and the directory below. */
public final class RamProvider implements DirectoryProvider {

  private static final double MEGABYTE = 1 << 20;

  @Override
  public Map<String, Function<UriOptions, IOSupplier<Directory>>> kinds() {
    return Map.of("ram", RamProvider::ram, "nrt", RamProvider::nrt);
  }

  private static IOSupplier<Directory> ram(UriOptions options) {
    RamDirectory.Builder builder = RamDirectory.builder();
    options.text("name", builder::name);
    options.number("chunk", builder::chunkBytes);
    options.number("max", builder::maxBytes);
    options.constant("hugePages", HugePages.class, builder::hugePages);
    if (!options.hasMore()) {
      options.locks(builder::lockFactory);
      return builder::build;
    }
    IOSupplier<Directory> below = options.directory();
    return () -> builder.backing(below.get()).build();
  }

  private static IOSupplier<Directory> nrt(UriOptions options) {
    double[] megabytes = {5, 60};
    options.number("maxMergeSize", bytes -> megabytes[0] = bytes / MEGABYTE);
    options.number("maxCached", bytes -> megabytes[1] = bytes / MEGABYTE);
    List<Path> journals = new ArrayList<>();
    options.text("journal", path -> journals.add(Path.of(path)));
    IOSupplier<Directory> below = options.directory();
    return () -> {
      Directory in = below.get();
      if (journals.isEmpty()) {
        return new NrtCacheDirectory(in, megabytes[0], megabytes[1]);
      }
      CommitJournal journal = options.closeLater(CommitJournal.open(journals.getFirst()));
      return new NrtCacheDirectory(in, megabytes[0], megabytes[1], journal);
    };
  }
}
