package io.github.lucenedirectories.benchmarks.micro;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * The bytes of all reachable objects on the Java heap at one time, class by class.
 *
 * <p>They come from the class histogram, which collects garbage first. It counts objects, whereas
 * the memory beans count the regions of the heap that hold them, which are too coarse for a
 * difference of a few kilobytes.
 */
final class LiveHeap {
  /** A line such as {@code 1: 2000 64000 java.lang.String (java.base@25)}. */
  private static final Pattern LINE = Pattern.compile("\\s*\\d+:\\s+\\d+\\s+(\\d+)\\s+(\\S+).*");

  /** Part of the names of the objects with which a collector fills gaps. */
  private static final String FILLER = "jdk.internal.vm.Filler";

  /** The first collections still find objects whose cleaners or weak references have to run. */
  private static final int COLLECTIONS = 3;

  /** The histogram; outside the heap, so that keeping it changes nothing that is measured. */
  private final ByteBuffer histogram;

  private LiveHeap(ByteBuffer histogram) {
    this.histogram = histogram;
  }

  /**
   * The heap as it is now, while no other thread allocates.
   *
   * @throws IllegalStateException if this JVM gives no histogram
   */
  static LiveHeap now() {
    for (int i = 1; i < COLLECTIONS; i++) {
      takeHistogram();
    }
    byte[] text = takeHistogram().getBytes(StandardCharsets.UTF_8);
    return new LiveHeap(ByteBuffer.allocateDirect(text.length).put(text).flip());
  }

  private static String takeHistogram() {
    try {
      return (String)
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  "gcClassHistogram",
                  new Object[] {new String[0]},
                  new String[] {String[].class.getName()});
    } catch (JMException e) {
      throw new IllegalStateException("this JVM gives no class histogram; use a HotSpot JVM", e);
    }
  }

  /** The bytes of all objects together. */
  long bytes() {
    return bytesByClass().values().stream().mapToLong(Long::longValue).sum();
  }

  /** The classes whose objects take more than at an earlier time, the most grown first. */
  List<Growth> growthSince(LiveHeap earlier) {
    Map<String, Long> before = earlier.bytesByClass();
    return bytesByClass().entrySet().stream()
        .map(
            entry ->
                new Growth(
                    entry.getKey(), entry.getValue() - before.getOrDefault(entry.getKey(), 0L)))
        .filter(growth -> growth.bytes > 0)
        .sorted(Comparator.comparingLong(Growth::bytes).reversed())
        .toList();
  }

  private Map<String, Long> bytesByClass() {
    Map<String, Long> bytesByClass = new HashMap<>();
    StandardCharsets.UTF_8
        .decode(histogram.duplicate())
        .toString()
        .lines()
        .map(LINE::matcher)
        .filter(Matcher::matches)
        .filter(line -> !line.group(2).contains(FILLER))
        .forEach(
            line -> bytesByClass.merge(line.group(2), Long.parseLong(line.group(1)), Long::sum));
    return bytesByClass;
  }

  /** By how many bytes the objects of a class have grown. */
  record Growth(String className, long bytes) {}
}
