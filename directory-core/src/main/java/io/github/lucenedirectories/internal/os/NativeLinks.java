// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.os;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Logger;

/** Links functions of the C library and reports their errors. */
@SuppressWarnings("restricted") // calling native code is what this class is for
final class NativeLinks {

  /** The memory to which a call linked by {@link #linkWithErrno} writes its error number. */
  static final StructLayout CAPTURE = Linker.Option.captureStateLayout();

  private static final long ERRNO_OFFSET =
      CAPTURE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

  private static final long MOST_MESSAGE_BYTES = 1024;

  private static final AtomicBoolean WARNED = new AtomicBoolean();

  private NativeLinks() {}

  private static final class Linked {
    static final MethodHandle STRERROR =
        link("strerror", FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
  }

  /**
   * Checks that a function could be linked, without doing so.
   *
   * @throws IllegalCallerException if this module may not call native code
   * @throws UnsatisfiedLinkError if there is no such function
   */
  static void check(String name) {
    MemorySegment _ = symbol(name).reinterpret(1);
  }

  private static MemorySegment symbol(String name) {
    return Linker.nativeLinker()
        .defaultLookup()
        .find(name)
        .orElseThrow(() -> new UnsatisfiedLinkError("no symbol " + name));
  }

  static MethodHandle link(String name, FunctionDescriptor type, Linker.Option... options) {
    return Linker.nativeLinker().downcallHandle(symbol(name), type, options);
  }

  /** The first argument of the linked function is memory of the layout {@link #CAPTURE}. */
  static MethodHandle linkWithErrno(String name, FunctionDescriptor type) {
    return link(name, type, Linker.Option.captureCallState("errno"));
  }

  /** Logs once that the system refused advice about a file. A refusal only costs speed. */
  static void warnOnceOfRefusal(String call) {
    if (!WARNED.getAndSet(true)) {
      Logger.getLogger(NativeLinks.class.getName())
          .warning(
              call
                  + " was refused, perhaps by a seccomp filter: the kernel reads ahead more than it"
                  + " should, and prefetches have no effect (logged once)");
    }
  }

  static int errno(MemorySegment error) {
    return error.get(ValueLayout.JAVA_INT, ERRNO_OFFSET);
  }

  static String message(MemorySegment error) {
    return message(errno(error));
  }

  static String message(int errno) {
    return text(errno) + " (errno=" + errno + ")";
  }

  /** The message without the number, in the process's language, as in the JDK's exceptions. */
  static String text(int errno) {
    MemorySegment text = call(() -> (MemorySegment) Linked.STRERROR.invokeExact(errno));
    MemorySegment bytes = text.reinterpret(MOST_MESSAGE_BYTES);
    int length = 0;
    while (bytes.get(ValueLayout.JAVA_BYTE, length) != 0) {
      length++;
    }
    // Not getString, which takes few charsets.
    return new String(bytes.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE), NativePath.CHARSET);
  }

  /** A call of a linked function. */
  interface Call<T> {
    T make() throws Throwable;
  }

  static <T> T call(Call<T> call) {
    try {
      return call.make();
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  /** Rethrows an unexpected throwable. Never returns; the return type serves the compiler. */
  static RuntimeException unexpected(Throwable t) {
    switch (t) {
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new AssertionError(t);
    }
  }
}
