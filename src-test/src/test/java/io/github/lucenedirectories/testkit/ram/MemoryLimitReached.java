package io.github.lucenedirectories.testkit.ram;

import static org.junit.Assert.assertTrue;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the error at the memory limit says. */
record MemoryLimitReached(String file, long askedBytes, long freeBytes, long maxBytes) {

  private static final Pattern MESSAGE =
      Pattern.compile(
          "memory limit reached: file=(\\S+), askedBytes=(\\d+), freeBytes=(\\d+),"
              + " maxBytes=(\\d+): (.*)",
          Pattern.DOTALL);

  /** Finds it in an exception, its causes and what they suppressed, and checks what it says. */
  static MemoryLimitReached in(Throwable thrown, String directoryName, long maxBytes) {
    MemoryLimitReached found =
        find(thrown, directoryName)
            .orElseThrow(() -> new AssertionError("not by the memory limit", thrown));
    assertTrue(found.toString(), found.maxBytes == maxBytes);
    assertTrue(found.toString(), found.askedBytes > 0 && found.freeBytes <= maxBytes);
    return found;
  }

  private static Optional<MemoryLimitReached> find(Throwable thrown, String directoryName) {
    Deque<Throwable> open = new ArrayDeque<>(Set.of(thrown));
    Set<Throwable> seen = new HashSet<>();
    while (!open.isEmpty()) {
      Throwable next = open.remove();
      if (!seen.add(next)) {
        continue;
      }
      String message = next.getMessage();
      Matcher matcher = MESSAGE.matcher(message == null ? "" : message);
      if (matcher.matches() && matcher.group(5).contains(directoryName)) {
        return Optional.of(
            new MemoryLimitReached(
                matcher.group(1),
                Long.parseLong(matcher.group(2)),
                Long.parseLong(matcher.group(3)),
                Long.parseLong(matcher.group(4))));
      }
      if (next.getCause() != null) {
        open.add(next.getCause());
      }
      open.addAll(Arrays.asList(next.getSuppressed()));
    }
    return Optional.empty();
  }
}
