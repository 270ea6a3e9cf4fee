// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.vectors;

/**
 * Decides whether stored documents are prefetched: only while a part of them comes from the device.
 * Any thread may use it; a race between two loses an observation.
 */
final class DocumentSwitch {

  /** One document in this many has to load a page. */
  private static final int RARE = 8;

  /** It decides anew after this many documents; more than a round of hits. */
  static final int PREFETCHED = 256;

  /** As {@link #PREFETCHED}, of those observed while prefetching is off. */
  static final int NOT_PREFETCHED = 16;

  /** While prefetching is off, one document in this many is observed; a power of two. */
  private static final int OBSERVED = 32;

  /** More than most documents need. */
  private static final long MOST_PAGES = 256;

  private volatile boolean on = PrefetchSwitch.SUPPORTED;
  private int asked;
  private int documents;
  private long loaded;

  boolean isOn() {
    return on;
  }

  /** Whether to call {@link #end} for the next document. */
  boolean observes() {
    return on || (++asked & (OBSERVED - 1)) == 0;
  }

  /** Records what was read since {@link PrefetchSwitch#begin}, for a number of documents. */
  void end(long[] begun, boolean prefetched, int count) {
    long[] reads = PrefetchSwitch.since(begun);
    // A virtual thread may go on in another one meanwhile, whose counts have nothing to do with it.
    long pages = Math.clamp(reads[1], 0, MOST_PAGES);
    // Without prefetching pages say little: some kernels read around each.
    note(prefetched ? pages : Math.clamp(reads[0] + pages, 0, 1), prefetched, count);
  }

  /**
   * Decides anew after enough documents.
   *
   * @param loads pages read or, without prefetching, documents that waited
   */
  void note(long loads, boolean prefetched, int count) {
    if (prefetched == on) {
      loaded += loads;
      documents += count;
      if (documents >= (prefetched ? PREFETCHED : NOT_PREFETCHED)) {
        on = loaded * RARE >= documents;
        documents = 0;
        loaded = 0;
      }
    }
  }
}
