package io.github.lucenedirectories.core;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.logging.Logger;

/**
 * Releases what an application dropped without closing it, when the garbage collector finds it, and
 * logs that once per process.
 */
public final class Dropped {

  private static final Logger LOG = Logger.getLogger(Dropped.class.getName());

  private static final Cleaner CLEANER = Cleaner.create();

  private static final AtomicBoolean WARNED = new AtomicBoolean();

  private Dropped() {}

  /**
   * Calls {@code release} once: when {@code holder} is no longer reachable, or when the result is
   * cleaned, which the holder's close does after it has released everything itself.
   *
   * @param what names the holder in the warning
   * @param release must not refer to the holder; returns false if there was nothing to release
   */
  public static Cleaner.Cleanable watch(Object holder, String what, BooleanSupplier release) {
    return CLEANER.register(
        holder,
        () -> {
          if (release.getAsBoolean() && WARNED.compareAndSet(false, true)) {
            LOG.warning(
                "dropped without close, and released by the garbage collector: "
                    + what
                    + "; close directories, readers and inputs (logged once)");
          }
        });
  }
}
