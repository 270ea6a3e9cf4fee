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

  /** While prefetching is off, one document in this many is observed. */
  private static final int OBSERVED = 32;

  /** How many hits are prefetched together at most. */
  static final int MOST_HITS = 100;

  /** More than most documents need. */
  private static final long MOST_PAGES = 256;

  private volatile boolean on = PrefetchSwitch.SUPPORTED;
  private int asked;
  private int documents;
  private long loaded;

  private int hits = MOST_HITS;
  private int prefetchedHits;
  private int readHits;

  boolean isOn() {
    return on;
  }

  /**
   * How many of the next hits to prefetch together: fewer while most of those before were not read.
   */
  int hits() {
    if (prefetchedHits >= PREFETCHED) {
      if (2 * readHits < prefetchedHits) {
        hits = Math.max(1, hits / 2);
      } else if (8 * readHits > 7 * prefetchedHits) {
        hits = Math.min(MOST_HITS, 2 * hits);
      }
      prefetchedHits = 0;
      readHits = 0;
    }
    return hits;
  }

  void prefetchedHits(int count) {
    prefetchedHits += count;
  }

  void readHit() {
    readHits++;
  }

  /** Whether to call {@link #end} for the next document. */
  boolean observes() {
    return on || observed(1) > 0;
  }

  /** How many of the next documents to observe while prefetching is off. */
  int observed(int count) {
    int before = asked / OBSERVED;
    asked = (asked + count) & Integer.MAX_VALUE;
    return Math.max(0, asked / OBSERVED - before);
  }

  /** Records what was read since {@link PrefetchSwitch#begin}, for a number of documents. */
  void end(long[] begun, boolean prefetched, int count) {
    long[] reads = PrefetchSwitch.since(begun);
    // A virtual thread may go on in another one meanwhile, whose counts have nothing to do with it.
    long pages = Math.clamp(reads[1], 0, MOST_PAGES);
    // Without prefetching pages say little: some kernels read around each.
    note(prefetched ? pages : Math.clamp(reads[0] + pages, 0, count), prefetched, count);
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
