package io.github.lucenedirectories.internal.mmap;

import io.github.lucenedirectories.DirectoryOptions;
import io.github.lucenedirectories.DirectoryProvider;
import io.github.lucenedirectories.mmap.MappedDirectory;
import java.util.HashSet;
import java.util.Set;

/** {@code mapped:FOLDER}. */
public final class MappedProvider implements DirectoryProvider {

  @Override
  public String name() {
    return "mapped";
  }

  @Override
  public Opener configure(DirectoryOptions options) {
    MappedDirectory.Builder builder = MappedDirectory.builder(options.folder());
    options.locks(builder::lockFactory);
    options.bytes("chunk", builder::chunkBytes);
    Set<String> preload = new HashSet<>();
    options.names("preload", preload::add);
    builder.preload(preload);
    return builder::build;
  }
}
