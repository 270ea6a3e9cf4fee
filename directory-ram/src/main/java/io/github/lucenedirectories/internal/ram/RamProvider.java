package io.github.lucenedirectories.internal.ram;

import io.github.lucenedirectories.DirectoryOptions;
import io.github.lucenedirectories.DirectoryProvider;
import io.github.lucenedirectories.HugePages;
import io.github.lucenedirectories.ram.RamDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOUtils;

/** {@code ram:}, or {@code ram:} and the directory that makes its commits durable. */
public final class RamProvider implements DirectoryProvider {

  @Override
  public String name() {
    return "ram";
  }

  @Override
  public Opener configure(DirectoryOptions options) {
    RamDirectory.Builder builder = RamDirectory.builder();
    options.text("name", builder::name);
    options.bytes("chunk", builder::chunkBytes);
    options.bytes("max", builder::maxBytes);
    options.constant("hugePages", HugePages.class, builder::hugePages);
    options.flag("preTouch", builder::preTouch);
    options.flag("lockInMemory", builder::lockInMemory);
    options.bytes("writeBehind", builder::writeBehindBytes);
    options.number("loadThreads", builder::loadThreads);
    if (!options.hasMore()) {
      options.locks(builder::lockFactory);
      return builder::build;
    }
    Opener below = options.directory();
    return () -> {
      Directory backing = below.open();
      try {
        return new Owning(builder.backing(backing).build(), backing);
      } catch (Throwable e) {
        IOUtils.closeWhileHandlingException(backing);
        throw e;
      }
    };
  }
}
