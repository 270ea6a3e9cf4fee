package io.github.lucenedirectories.benchmarks.pmem;

import io.github.lucenedirectories.benchmarks.console.Progress;

/** Progress in bytes, told as steps of a mebibyte. For one thread. */
final class ByteProgress {
  private static final int STEP_SHIFT = 20;

  private final Progress progress;
  private long done;

  /** Begins to tell. */
  ByteProgress(Progress progress, long totalBytes) {
    this.progress = progress;
    progress.start("MiB", Math.toIntExact(totalBytes >> STEP_SHIFT));
  }

  /** A file begins. */
  void file(String what) {
    progress.step(what);
  }

  /** So many more bytes are done. */
  void add(long bytes) {
    long before = done >> STEP_SHIFT;
    done += bytes;
    for (long steps = (done >> STEP_SHIFT) - before; steps > 0; steps--) {
      progress.stepDone();
    }
  }
}
