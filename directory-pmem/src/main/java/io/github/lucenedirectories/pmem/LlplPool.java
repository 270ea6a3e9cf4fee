// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import com.intel.pmem.llpl.MemoryPool;
import java.io.Closeable;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A pool file that LLPL writes and flushes. It exposes no addresses, so reads use a mapping of the
 * Java runtime.
 */
final class LlplPool extends JdkPool {

  private final MemoryPool pool;
  private final MethodHandle unmap;

  LlplPool(MemoryPool pool, MethodHandle unmap, Path file, MapMode mode) throws IOException {
    this.pool = pool;
    this.unmap = unmap;
    super(file, mode);
  }

  static LlplPool map(Path file, MapMode mode) throws IOException {
    MethodHandle unmap = unmapping();
    MemoryPool pool;
    try {
      // Opened first: LLPL closes a descriptor of the file, which would drop the lock.
      pool = MemoryPool.openPool(file.toString());
    } catch (RuntimeException | LinkageError e) {
      throw new IOException("LLPL cannot open " + file, e);
    }
    MethodHandle unmapThis = unmap.bindTo(pool);
    try {
      return new LlplPool(pool, unmapThis, file, mode);
    } catch (Throwable t) {
      unmap(unmapThis);
      throw t;
    }
  }

  /** Why LLPL cannot be used in this process; null if it can. */
  static @Nullable String whyAbsent() {
    try {
      unmapping();
      return null;
    } catch (LinkageError | UnsupportedOperationException | IOException e) {
      Module module = MemoryPool.class.getModule();
      if (!module.isNativeAccessEnabled()) {
        return "native access denied; start java with --enable-native-access="
            + (module.isNamed() ? module.getName() : "ALL-UNNAMED");
      }
      Throwable cause = e instanceof ExceptionInInitializerError ? e.getCause() : e;
      return "LLPL cannot be loaded: " + cause;
    }
  }

  /** LLPL's method that ends a mapping, which is not public. Loads its native libraries. */
  private static MethodHandle unmapping() throws IOException {
    try {
      Method close = Class.forName("com.intel.pmem.llpl.MemoryPoolImpl").getDeclaredMethod("close");
      close.setAccessible(true);
      return MethodHandles.lookup().unreflect(close);
    } catch (ReflectiveOperationException | InaccessibleObjectException e) {
      throw new IOException("LLPL's close is out of reach: " + e, e);
    }
  }

  @Override
  public void write(long offset, byte[] from, int index, int length) {
    pool.copyFromByteArray(from, index, offset, length);
  }

  @Override
  public void writeWord(long offset, long value) {
    VarHandle.releaseFence();
    pool.setLong(offset, value);
  }

  @Override
  public void flush(long offset, long length) {
    // This is pmem_persist, which waits.
    pool.flush(offset, length);
  }

  @Override
  public void close() throws IOException {
    try (Closeable _ = super::close) {
      unmap(unmap);
    }
  }

  private static void unmap(MethodHandle unmap) throws IOException {
    try {
      unmap.invoke();
    } catch (Throwable t) {
      throw new IOException("LLPL cannot unmap a pool", t);
    }
  }
}
