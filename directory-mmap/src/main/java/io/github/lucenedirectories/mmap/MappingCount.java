// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.MetricSource;
import io.github.lucenedirectories.internal.os.Events.Refusal;
import io.github.lucenedirectories.internal.os.ProcFs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.apache.lucene.util.Constants;

/**
 * Keeps the number of mappings below the kernel's limit for a process. At the limit the kernel
 * would refuse memory to the JVM itself. All methods may be called from any thread.
 */
final class MappingCount {

  /** The limit on systems that have none. */
  static final long NO_LIMIT = Long.MAX_VALUE >> 3;

  private static final long LINUX_DEFAULT = 65_530;

  private static final Logger LOG = Logger.getLogger(MappingCount.class.getName());

  /** The shortest time between two counts of others' mappings, which take milliseconds. */
  private static final long COUNT_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** The mappings of this process's directories. Declared after the constants that it needs. */
  static final MappingCount OF_PROCESS =
      new MappingCount(
          Constants.LINUX ? () -> allowed(Path.of("/proc/sys/vm/max_map_count")) : () -> NO_LIMIT,
          () -> lines(Path.of("/proc/self/maps")));

  private final LongSupplier setting;
  private final LongSupplier all;
  private final AtomicLong live = new AtomicLong();
  private final AtomicLong countedNanos = new AtomicLong(System.nanoTime() - COUNT_NANOS);

  /** Mappings of other code in this process, when they were last counted. */
  private volatile long others;

  private final AtomicBoolean warned = new AtomicBoolean();

  /** The kernel's limit when it was last read. */
  private volatile long allowed;

  /**
   * Starts without mappings.
   *
   * @param setting the kernel's limit; read again near the limit, since an operator may have raised
   *     it
   * @param all counts all mappings of the process
   */
  MappingCount(LongSupplier setting, LongSupplier all) {
    this.setting = setting;
    this.all = all;
    allowed = setting.getAsLong();
  }

  /** Counts the lines of a file; 0 where it cannot be read. */
  static long lines(Path file) {
    try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
      return lines.count();
    } catch (IOException | UncheckedIOException | SecurityException _) {
      return 0;
    }
  }

  /** The limit in a file; the default where it is hidden from this process. */
  static long allowed(Path setting) {
    return ProcFs.number(setting, "").orElse(LINUX_DEFAULT);
  }

  /** Whether files may be mapped now; warns once when they may not. */
  boolean hasRoom() {
    countOthers();
    if (isBelowLimit()) {
      return true;
    }
    allowed = setting.getAsLong();
    if (isBelowLimit()) {
      // An operator followed the advice: warn again when that is not enough.
      warned.set(false);
      return true;
    }
    if (!warned.getAndSet(true)) {
      LOG.warning(
          Refusal.report(
              "files will be read with pread from now on, which is slower: the process is close to"
                  + " vm.max_map_count. Close readers, or raise the limit: "
                  + remedy()));
    }
    return false;
  }

  private void countOthers() {
    long last = countedNanos.get();
    long now = System.nanoTime();
    if (now - last >= COUNT_NANOS && countedNanos.compareAndSet(last, now)) {
      others = Math.max(0, all.getAsLong() - live.get());
    }
  }

  /** The rest of what is allowed is for other code, which may not go without. */
  private boolean isBelowLimit() {
    return live.get() + others < allowed / 4 * 3;
  }

  /** Counts mappings that were made, or split off by advice; negative if they are gone. */
  void add(long mappings) {
    live.addAndGet(mappings);
  }

  /** The mappings of this process's directories, those of others, and the limit for all. */
  void report(MetricSource.Sink sink) {
    sink.gauge("mappings", live.get());
    sink.gauge("other.mappings", others);
    sink.gauge("mappings.limit", allowed);
  }

  long live() {
    return live.get();
  }

  /** The command that raises the limit, if there is one, the number of mappings, and the limit. */
  String remedy() {
    if (allowed == NO_LIMIT) {
      return "mappings=" + (live.get() + others);
    }
    return String.format(
        Locale.ROOT,
        "sysctl -w vm.max_map_count=%s (mappings=%s, vm.max_map_count=%s)",
        Math.min(4 * allowed, Integer.MAX_VALUE),
        live.get() + others,
        allowed);
  }
}
