package io.github.lucenedirectories.internal.nio;

import io.github.lucenedirectories.DirectoryOptions;
import io.github.lucenedirectories.DirectoryProvider;
import io.github.lucenedirectories.nio.NioDirectory;

/** {@code nio:FOLDER}. */
public final class NioProvider implements DirectoryProvider {

  @Override
  public String name() {
    return "nio";
  }

  @Override
  public Opener configure(DirectoryOptions options) {
    NioDirectory.Builder builder = NioDirectory.builder(options.folder());
    options.locks(builder::lockFactory);
    options.intBytes("block", builder::blockBytes);
    options.bytes("directMerge", builder::directMergeBytes);
    return builder::build;
  }
}
