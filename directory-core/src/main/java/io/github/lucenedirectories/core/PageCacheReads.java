package io.github.lucenedirectories.core;

import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;

/** How much this process has made the system read from devices into the page cache. */
public final class PageCacheReads {

  private static final Path IO_FACTS = Path.of("/proc/self/io");
  private static final String FROM_DEVICES = "read_bytes:";

  private static final LongAdder DIRECT_BYTES = new LongAdder();

  private PageCacheReads() {}

  /**
   * Bytes since the process started, those that the system read ahead and around included; empty
   * where the system does not tell, which Linux does.
   */
  public static OptionalLong bytes() {
    // Asked for first: what is read in between counts once more, not once less.
    long direct = DIRECT_BYTES.sum();
    OptionalLong all = KernelFacts.number(IO_FACTS, FROM_DEVICES);
    return all.isPresent() ? OptionalLong.of(all.getAsLong() - direct) : all;
  }

  /** Notes a read past the page cache. */
  static void addDirect(long bytes) {
    DIRECT_BYTES.add(bytes);
  }
}
