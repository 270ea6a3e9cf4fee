// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.os;

import java.lang.foreign.Arena;
import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Releases resources that an application dropped without closing, when the garbage collector finds
 * them, and logs that once per process.
 */
public final class Dropped {

  private static final Logger LOG = Logger.getLogger(Dropped.class.getName());

  private static final AtomicBoolean WARNED = new AtomicBoolean();

  private static @Nullable Cleaner cleaner;

  private Dropped() {}

  /**
   * Calls {@code release} once: when {@code holder} is no longer reachable, or when the result is
   * cleaned. The holder's close cleans it after releasing everything itself. If the system allows
   * no cleaner thread, the holder is not watched.
   *
   * @param what names the holder in the warning
   * @param release must not refer to the holder; returns false if there was nothing to release
   */
  public static Cleaner.Cleanable watch(Object holder, String what, BooleanSupplier release) {
    Runnable cleaning =
        () -> {
          if (release.getAsBoolean() && WARNED.compareAndSet(false, true)) {
            LOG.warning(
                "dropped without close, and released by the garbage collector: "
                    + what
                    + "; close directories, readers and inputs (logged once)");
          }
        };
    try {
      return cleaner().register(holder, cleaning);
    } catch (OutOfMemoryError _) {
      return cleaning::run;
    }
  }

  /**
   * A shared arena that is closed when {@code holder} is no longer reachable. Memory of {@link
   * Arena#ofAuto} would count against {@code -XX:MaxDirectMemorySize}: at that limit, each
   * allocation waits for a garbage collection.
   *
   * @param holder must not be reachable from a static field, else it and the class loader stay
   */
  public static Arena arenaOf(Object holder) {
    Arena arena = Arena.ofShared();
    try {
      cleaner().register(holder, arena::close);
    } catch (OutOfMemoryError _) {
      // The system allows no cleaner thread: the memory stays allocated.
    }
    return arena;
  }

  private static synchronized Cleaner cleaner() {
    Cleaner known = cleaner;
    if (known == null) {
      known = Cleaner.create();
      cleaner = known;
    }
    return known;
  }
}
