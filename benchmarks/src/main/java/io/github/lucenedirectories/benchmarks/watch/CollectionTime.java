package io.github.lucenedirectories.benchmarks.watch;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/** What the garbage collectors of this JVM took, as they tell it without a recorder. */
public final class CollectionTime {

  private CollectionTime() {}

  /** Milliseconds since the JVM began. */
  public static long millis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .sum();
  }
}
