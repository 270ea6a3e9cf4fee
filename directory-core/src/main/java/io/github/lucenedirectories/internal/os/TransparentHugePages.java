// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.os;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The system's settings and use of transparent huge pages. The format of the files is described in
 * the kernel's {@code Documentation/admin-guide/mm/transhuge.rst} and in {@code proc(5)}.
 */
public final class TransparentHugePages {

  /** Length and alignment of a huge page on x86-64, and on aarch64 with pages of 4 KiB. */
  public static final long HUGE_PAGE_BYTES = 1L << 21;

  private static final Path SETTINGS = Path.of("/sys/kernel/mm/transparent_hugepage");
  private static final Path PROCESS = Path.of("/proc/self/status");
  private static final Path MAPPINGS = Path.of("/proc/self/smaps");

  private TransparentHugePages() {}

  /** Why advice to use huge pages has no effect, and how to fix that; empty if it has one. */
  public static Optional<String> whyNone() {
    return whyNone(SETTINGS);
  }

  static Optional<String> whyNone(Path settings) {
    try {
      String enabled = Files.readString(settings.resolve("enabled")).strip();
      if (enabled.contains("[never]")) {
        return Optional.of(
            "the system gives none: as root, echo madvise > " + settings.resolve("enabled"));
      }
      long bytes = Long.parseLong(Files.readString(settings.resolve("hpage_pmd_size")).strip());
      if (bytes != HUGE_PAGE_BYTES) {
        return Optional.of("only pages of 2 MiB are used; the system's have bytes=" + bytes);
      }
    } catch (IOException | NumberFormatException | SecurityException e) {
      return Optional.of("the kernel has no transparent huge pages: " + e);
    }
    // Linux before 5.0 does not say it.
    return ProcFs.number(PROCESS, "THP_enabled:").orElse(1) == 0
        ? Optional.of("they are switched off for this process (prctl PR_SET_THP_DISABLE)")
        : Optional.empty();
  }

  /**
   * How many bytes of a range of addresses lie in huge pages. Reads the memory map of the whole
   * process, which takes milliseconds, or longer with much memory.
   */
  public static long coveredBytes(long start, long end) throws IOException {
    return coveredBytes(MAPPINGS, start, end);
  }

  static long coveredBytes(Path mappings, long start, long end) throws IOException {
    long sum = 0;
    boolean inside = false;
    try (BufferedReader lines = Files.newBufferedReader(mappings)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        int dash = line.indexOf('-');
        int space = line.indexOf(' ');
        if (dash > 0 && dash < space && line.indexOf(':') > space) {
          long from = Long.parseUnsignedLong(line, 0, dash, 16);
          inside = from >= start && from < end;
        } else if (inside && line.startsWith("AnonHugePages:")) {
          String kibibytes = line.substring("AnonHugePages:".length()).replace("kB", "").strip();
          sum += Long.parseLong(kibibytes) << 10;
        }
      }
    } catch (SecurityException e) {
      throw new IOException("the memory map may not be read: " + mappings, e);
    }
    return sum;
  }
}
