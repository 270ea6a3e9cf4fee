package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.core.NativeCalls.Advice;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.IOContext;

/**
 * Decides what the kernel is told about the mapped files of a directory, and tells it anew when
 * that changes. All methods may be called from any thread.
 */
final class Advisor {

  /** Tells the kernel whatever Lucene says. */
  static final Advisor ALL = new Advisor(true);

  /** Tells the kernel what Lucene says, but of random reads nothing. */
  static final Advisor NOTHING_RANDOM = new Advisor(false);

  private final Set<MappedResidency> open = ConcurrentHashMap.newKeySet();
  private volatile boolean passesRandom;

  /**
   * An advisor.
   *
   * @param passesRandom whether the kernel is told of random reads: it then loads the pages that
   *     are read and none around them, which is right where memory is scarce and slow to fill a
   *     cache where it is not
   */
  Advisor(boolean passesRandom) {
    this.passesRandom = passesRandom;
  }

  Advice adviceFor(IOContext context) {
    if (context.context() == IOContext.Context.MERGE
        || context.hints().contains(DataAccessHint.SEQUENTIAL)) {
      return Advice.SEQUENTIAL;
    }
    return passesRandom && context.hints().contains(DataAccessHint.RANDOM)
        ? Advice.RANDOM
        : Advice.NORMAL;
  }

  /** Advises a file until {@link #remove}. */
  void add(MappedResidency file) {
    open.add(file);
  }

  void remove(MappedResidency file) {
    open.remove(file);
  }

  /** Changes what the kernel is told of random reads, of the open files too. */
  void passRandom(boolean passes) {
    if (passesRandom != passes) {
      passesRandom = passes;
      open.forEach(MappedResidency::adviseAgain);
    }
  }
}
