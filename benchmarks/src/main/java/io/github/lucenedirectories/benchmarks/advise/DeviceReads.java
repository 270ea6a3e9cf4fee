package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.limit.KindSamples;
import io.github.lucenedirectories.benchmarks.limit.LimitSamples;
import io.github.lucenedirectories.benchmarks.report.Numbers;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a column's queries had to fetch from the device, over all kinds and forks.
 *
 * @param faults page faults that waited for it
 * @param bytes that the system read, with what was read ahead
 */
record DeviceReads(long queries, long faults, long bytes) {
  private static final long PAGE_BYTES = 4096;

  /* So many queries without a page of their own: nearly all found theirs in memory. */
  private static final long QUERIES_A_PAGE = 100;

  /** The sums; what the system does not tell counts as nothing. */
  static DeviceReads of(List<LimitSamples> forks) {
    List<KindSamples> kinds =
        forks.stream().map(fork -> fork.kinds().values()).flatMap(Collection::stream).toList();
    return new DeviceReads(
        kinds.stream().mapToLong(KindSamples::queries).sum(),
        kinds.stream().mapToLong(kind -> known(kind.reads().majorFaults())).sum(),
        kinds.stream().mapToLong(kind -> known(kind.reads().readBytes())).sum());
  }

  private static long known(@Nullable Long figure) {
    return figure == null ? 0 : figure;
  }

  /** Whether memory was as good as never missing. */
  boolean areFew() {
    long pages = queries / QUERIES_A_PAGE;
    return faults <= pages && bytes <= pages * PAGE_BYTES;
  }

  /** As {@code 3 page faults and 12.0 KiB from the device in 9,000 queries}. */
  String summary() {
    return String.format(
        Locale.ROOT,
        "%,d page faults and %s from the device in %,d queries",
        faults,
        Numbers.bytes(bytes),
        queries);
  }
}
