// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.os;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The Linux system calls on memory that the directories use, through the foreign function
 * interface. {@link FileCalls} has the calls on files.
 *
 * <p>Present on 64-bit Linux (x86-64 and aarch64) where the JVM lets this module call native code;
 * elsewhere {@link #get} is empty and {@link #whyAbsent} says why. All methods may be called from
 * any thread.
 */
@SuppressWarnings("restricted") // calling native code is what this class is for
public final class NativeCalls {

  /** Advice for a range of memory, as {@code madvise} takes it. */
  public enum Advice {
    /** No special treatment. */
    NORMAL(0),
    /** Reads are random: do not read ahead. */
    RANDOM(1),
    /** The range will be read soon: start to load it. */
    WILL_NEED(3),
    /** The contents are no longer needed: free the memory. The range then reads as zeros. */
    NOT_NEEDED(4),
    /** Back the range by huge pages. */
    HUGE_PAGES(14),
    /** Do not back the range by huge pages. */
    NO_HUGE_PAGES(15),
    /** Leave the range out of core dumps. */
    NOT_DUMPED(16),
    /** Load the range and map its pages, now. Since Linux 5.14. */
    POPULATE_READ(22),
    /** Allocate memory for the range and map it for writing, now. Since Linux 5.14. */
    POPULATE_WRITE(23);

    private final int number;

    Advice(int number) {
      this.number = number;
    }
  }

  // Constants of <unistd.h>, <sys/mman.h> and <sys/resource.h> that are the same on x86-64 and
  // aarch64.
  private static final int PROT_READ_WRITE = 0x1 | 0x2;
  private static final int MAP_PRIVATE_ANONYMOUS_NORESERVE = 0x2 | 0x20 | 0x4000;
  private static final int SC_PAGESIZE = 30;
  private static final int RUSAGE_THREAD = 1;

  /** The length of {@code struct rusage}, and two of its fields. */
  private static final long USAGE_BYTES = 144;

  private static final long USAGE_MAJOR_FAULTS = 72;
  private static final long USAGE_BLOCKS_READ = 88;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final AddressLayout ADDRESS = ValueLayout.ADDRESS;

  // The outcome of the one attempt to link; never both null.
  private static final class Attempt {
    static final Optional<NativeCalls> CALLS;
    static final String WHY_ABSENT;

    static {
      @Nullable NativeCalls calls = null;
      String whyAbsent = "";
      String os = System.getProperty("os.name") + " " + System.getProperty("os.arch");
      if (!os.equals("Linux amd64") && !os.equals("Linux aarch64")) {
        whyAbsent = "no native calls on " + os;
      } else {
        try {
          NativeLinks.check("madvise");
          calls = new NativeCalls();
        } catch (IllegalCallerException | UnsatisfiedLinkError e) {
          whyAbsent = reason(e);
        }
      }
      CALLS = Optional.ofNullable(calls);
      WHY_ABSENT = whyAbsent;
    }

    private static String reason(Throwable refusal) {
      if (refusal instanceof IllegalCallerException) {
        Module module = NativeCalls.class.getModule();
        return "native access denied; start java with --enable-native-access="
            + (module.isNamed() ? module.getName() : "ALL-UNNAMED");
      }
      return "native calls cannot be linked: " + refusal;
    }
  }

  /*
   * The linked calls are constants, so that the JIT compiler can inline them. To link one takes
   * milliseconds and loads some ten classes, the first one a hundred; so they are linked when they
   * are first made, and a process's first open of an index need not wait for them.
   */

  private static final class Advising {
    static final MethodHandle MADVISE =
        NativeLinks.link("madvise", FunctionDescriptor.of(INT, ADDRESS, LONG, INT));
  }

  private static final class Reservation {
    static final MethodHandle MMAP =
        NativeLinks.link("mmap", FunctionDescriptor.of(LONG, LONG, LONG, INT, INT, INT, LONG));
    static final MethodHandle MUNMAP =
        NativeLinks.link("munmap", FunctionDescriptor.of(INT, LONG, LONG));
  }

  private static final class Pages {
    static final MethodHandle MINCORE =
        NativeLinks.link("mincore", FunctionDescriptor.of(INT, ADDRESS, LONG, ADDRESS));
    static final MethodHandle SYSCONF =
        NativeLinks.link("sysconf", FunctionDescriptor.of(LONG, INT));

    static final long BYTES = NativeLinks.call(() -> (long) SYSCONF.invokeExact(SC_PAGESIZE));
  }

  private static final class Usage {
    static final MethodHandle GETRUSAGE =
        NativeLinks.link("getrusage", FunctionDescriptor.of(INT, INT, ADDRESS));
  }

  private final FileCalls files = new FileCalls();

  private NativeCalls() {}

  /** The calls, or empty where this platform or JVM does not allow them. */
  public static Optional<NativeCalls> get() {
    return Attempt.CALLS;
  }

  /** Why {@link #get} is empty, and what to do about it; empty if it is not. */
  public static String whyAbsent() {
    return Attempt.WHY_ABSENT;
  }

  public FileCalls files() {
    return files;
  }

  public static long pageBytes() {
    return Pages.BYTES;
  }

  /**
   * Reserves address space for private memory. It takes physical memory, filled with zeros, only
   * when first touched.
   *
   * @return the address, a multiple of the page size, or empty if the system refuses
   */
  public Optional<Long> tryReserve(long bytes) {
    int flags = MAP_PRIVATE_ANONYMOUS_NORESERVE;
    long address =
        NativeLinks.call(
            () -> (long) Reservation.MMAP.invokeExact(0L, bytes, PROT_READ_WRITE, flags, -1, 0L));
    return address == -1 ? Optional.empty() : Optional.of(address);
  }

  /**
   * Gives address space back to the system.
   *
   * @param address multiple of the page size
   * @return false if the system refused, as it may if that would split a mapping at the limit of
   *     mappings
   */
  public boolean release(long address, long bytes) {
    return NativeLinks.call(() -> (int) Reservation.MUNMAP.invokeExact(address, bytes) == 0);
  }

  /**
   * Passes advice for the pages that hold the segment.
   *
   * @return false if the system refused it, which only costs speed
   */
  public boolean advise(MemorySegment segment, Advice advice) {
    MemorySegment pages = pagesOf(segment);
    return advise(pages, pages.byteSize(), advice);
  }

  /**
   * Passes advice for the pages that hold a range.
   *
   * @return false if the system refused it
   */
  public boolean advise(long address, long bytes, Advice advice) {
    long excess = address & (Pages.BYTES - 1);
    return advise(MemorySegment.ofAddress(address - excess), bytes + excess, advice);
  }

  private static boolean advise(MemorySegment pages, long bytes, Advice advice) {
    try {
      PathCounter.NATIVE_ADVICE.increment();
      boolean taken = (int) Advising.MADVISE.invokeExact(pages, bytes, advice.number) == 0;
      if (!taken && (advice == Advice.RANDOM || advice == Advice.WILL_NEED)) {
        NativeLinks.warnOnceOfRefusal("madvise");
      }
      return taken;
    } catch (Throwable t) {
      throw NativeLinks.unexpected(t);
    }
  }

  /**
   * How often the calling thread has waited for a page of a mapped file, and how many blocks of 512
   * bytes it has read from devices, by reads, page faults and prefetches.
   */
  public long[] threadReads() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment usage = arena.allocate(USAGE_BYTES, Long.BYTES);
      int _ = NativeLinks.call(() -> (int) Usage.GETRUSAGE.invokeExact(RUSAGE_THREAD, usage));
      return new long[] {usage.get(LONG, USAGE_MAJOR_FAULTS), usage.get(LONG, USAGE_BLOCKS_READ)};
    }
  }

  /**
   * Whether every page of the segment is in physical memory; empty if the system refuses to say.
   */
  public Optional<Boolean> isResident(MemorySegment segment) {
    return residentPages(segment)
        .map(
            pages -> {
              for (byte page : pages) {
                if ((page & 1) == 0) {
                  return false;
                }
              }
              return true;
            });
  }

  /** A byte for each page of the segment, odd if it is in physical memory; empty if refused. */
  public Optional<byte[]> residentPages(MemorySegment segment) {
    MemorySegment pages = pagesOf(segment);
    long count = (pages.byteSize() + Pages.BYTES - 1) / Pages.BYTES;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Math.max(1, count));
      return NativeLinks.call(
              () -> (int) Pages.MINCORE.invokeExact(pages, pages.byteSize(), state) == 0)
          ? Optional.of(state.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE))
          : Optional.empty();
    }
  }

  /**
   * The segment, extended downwards to the beginning of a page. The result does not keep the memory
   * alive: if the range was released meanwhile, a call fails or advises pages that now belong to
   * something else.
   */
  private MemorySegment pagesOf(MemorySegment segment) {
    long excess = segment.address() & (Pages.BYTES - 1);
    return excess == 0
        ? segment
        : MemorySegment.ofAddress(segment.address() - excess)
            .reinterpret(segment.byteSize() + excess);
  }

  /**
   * The same memory with the same lifetime, as the segment class of memory not mapped from a file.
   * A call site that reads both kinds then sees one class.
   */
  public MemorySegment unmappedView(MemorySegment segment) {
    return segment.reinterpret(segment.byteSize());
  }
}
