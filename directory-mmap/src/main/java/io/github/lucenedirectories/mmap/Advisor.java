package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.core.NativeCalls.Advice;
import io.github.lucenedirectories.core.ReadHints;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.IOContext;

/**
 * Decides what the kernel is told about the mapped files of a directory, and tells it anew when
 * that changes. All methods may be called from any thread.
 */
final class Advisor {

  /**
   * Of which files the kernel is told that their reads jump. It then loads the pages that are read
   * and none around them: right where the others would throw out what is needed, and slow to fill a
   * cache that has room for all.
   */
  enum Jumps {
    /** Of none. */
    OF_NONE,
    /** Of all that Lucene says it of but vectors, of which one search reads thousands. */
    OF_ALL_BUT_VECTORS,
    /** Of all that Lucene says it of. */
    OF_ALL
  }

  /** Tells the kernel whatever Lucene says. */
  static final Advisor ALL = new Advisor(Jumps.OF_ALL);

  /** Tells the kernel whatever Lucene says, but of vectors that their reads jump. */
  static final Advisor ALL_BUT_VECTORS = new Advisor(Jumps.OF_ALL_BUT_VECTORS);

  /** Tells the kernel what Lucene says, but of jumps nothing. */
  static final Advisor NO_JUMPS = new Advisor(Jumps.OF_NONE);

  private final Set<MappedResidency> open = ConcurrentHashMap.newKeySet();
  private volatile Jumps jumps;

  Advisor(Jumps jumps) {
    this.jumps = jumps;
  }

  Advice adviceFor(IOContext context) {
    if (ReadHints.isStream(context)) {
      return Advice.SEQUENTIAL;
    }
    return context.hints().contains(DataAccessHint.RANDOM) && tellsJumps(context)
        ? Advice.RANDOM
        : Advice.NORMAL;
  }

  private boolean tellsJumps(IOContext context) {
    return switch (jumps) {
      case OF_NONE -> false;
      case OF_ALL_BUT_VECTORS -> ReadHints.isReadInPieces(context);
      case OF_ALL -> true;
    };
  }

  /** Advises a file until {@link #remove}. */
  void add(MappedResidency file) {
    open.add(file);
  }

  void remove(MappedResidency file) {
    open.remove(file);
  }

  /** Changes of which files jumps are told, of open ones too. */
  void tell(Jumps changed) {
    if (jumps != changed) {
      jumps = changed;
      open.forEach(MappedResidency::adviseAgain);
    }
  }
}
