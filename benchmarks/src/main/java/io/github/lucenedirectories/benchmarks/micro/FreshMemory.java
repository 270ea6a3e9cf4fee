package io.github.lucenedirectories.benchmarks.micro;

import io.github.lucenedirectories.internal.os.NativeCalls;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Private memory that the system has not given any page yet: whoever writes to it first waits while
 * pages are found and cleared. Closing it gives the pages back.
 */
final class FreshMemory implements Closeable {
  /** Where it begins and is cut: the length of a huge page. */
  static final long HUGE_PAGE_BYTES = 1L << 21;

  private final NativeCalls calls;
  private final long address;
  private final long mappedBytes;
  private final MemorySegment segment;
  private boolean closed;

  /**
   * Maps so many bytes.
   *
   * @param hugePages whether to ask the system for huge pages or for none
   * @throws IOException if the system refuses
   */
  @SuppressWarnings("restricted") // the segment has the bounds of the mapping
  FreshMemory(NativeCalls calls, long bytes, boolean hugePages) throws IOException {
    this.calls = calls;
    mappedBytes = bytes + HUGE_PAGE_BYTES;
    address =
        calls
            .tryReserve(mappedBytes)
            .orElseThrow(() -> new IOException("no address space: bytes=" + mappedBytes));
    long aligned = (address + HUGE_PAGE_BYTES - 1) & -HUGE_PAGE_BYTES;
    segment = MemorySegment.ofAddress(aligned).reinterpret(bytes);
    calls.advise(
        segment, hugePages ? NativeCalls.Advice.HUGE_PAGES : NativeCalls.Advice.NO_HUGE_PAGES);
  }

  /** The memory, from the beginning of a huge page on; not to be used once this is closed. */
  MemorySegment segment() {
    return segment;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      calls.release(address, mappedBytes);
    }
  }
}
