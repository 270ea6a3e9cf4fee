package io.github.lucenedirectories.internal.pmem;

import io.github.lucenedirectories.DirectoryOptions;
import io.github.lucenedirectories.DirectoryProvider;
import io.github.lucenedirectories.pmem.PmemDirectory;
import io.github.lucenedirectories.pmem.PmemEngine;
import io.github.lucenedirectories.pmem.PmemMode;

/** {@code pmem:FOLDER}. */
public final class PmemProvider implements DirectoryProvider {

  @Override
  public String name() {
    return "pmem";
  }

  @Override
  public Opener configure(DirectoryOptions options) {
    PmemDirectory.Builder builder = PmemDirectory.builder(options.folder());
    options.locks(builder::lockFactory);
    options.constant("engine", PmemEngine.class, builder::engine);
    options.constant("mode", PmemMode.class, builder::mode);
    options.bytes("initial", builder::initialBytes);
    options.bytes("poolFile", builder::poolFileBytes);
    options.bytes("max", builder::maxBytes);
    options.bytes("chunk", builder::chunkBytes);
    options.flag("preTouch", builder::preTouch);
    return builder::build;
  }
}
