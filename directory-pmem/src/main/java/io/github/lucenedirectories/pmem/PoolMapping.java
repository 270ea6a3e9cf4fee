// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.Uninterruptibles;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import jdk.nio.mapmode.ExtendedMapMode;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.Unwrappable;
import org.jspecify.annotations.Nullable;

/** The engine and the mode with which pool files are mapped. */
record PoolMapping(PmemEngine engine, PmemMode mode) {

  /** HotSpot's compilation level at which all compilers run. */
  private static final int ALL_COMPILERS = 4;

  /**
   * Chooses an engine and a mode that the file system and this process support.
   *
   * @param engine null for the best one available
   * @param mode null for {@link PmemMode#PMEM} where the file system supports it, else {@link
   *     PmemMode#FILE}
   * @throws IOException if the requested engine or mode is unavailable
   */
  static PoolMapping choose(Path folder, @Nullable PmemEngine engine, @Nullable PmemMode mode)
      throws IOException {
    PmemMode chosen = mode;
    if (chosen == null) {
      chosen = mapsSynchronously(folder) ? PmemMode.PMEM : PmemMode.FILE;
    } else if (chosen == PmemMode.PMEM && !mapsSynchronously(folder)) {
      throw new IOException(
          "mode PMEM was asked for, but the file system does not map with MAP_SYNC; mount it on"
              + " persistent memory with -o dax: folder="
              + folder);
    }
    return new PoolMapping(engineFor(chosen, engine), chosen);
  }

  private static PmemEngine engineFor(PmemMode mode, @Nullable PmemEngine engine)
      throws IOException {
    boolean llplServes = mode != PmemMode.FILE;
    boolean jdkServes = mode != PmemMode.EMULATED;
    if ((engine == PmemEngine.LLPL && !llplServes) || (engine == PmemEngine.JDK && !jdkServes)) {
      throw new IllegalArgumentException(
          "engine "
              + engine
              + " does not serve mode "
              + mode
              + "; LLPL serves PMEM and EMULATED,"
              + " JDK serves PMEM and FILE");
    }
    String whyNoLlpl = llplServes && engine != PmemEngine.JDK ? whyNoLlpl() : "not asked for";
    if (whyNoLlpl == null) {
      return PmemEngine.LLPL;
    }
    if (engine == PmemEngine.LLPL || !jdkServes) {
      throw new IOException(
          "mode "
              + mode
              + " with engine LLPL needs the library com.intel.pmem:llpl, and libpmemobj and"
              + " libpmempool of the system: "
              + whyNoLlpl);
    }
    if (mode == PmemMode.PMEM) {
      refuseWithoutFlush();
    }
    return PmemEngine.JDK;
  }

  private static @Nullable String whyNoLlpl() {
    try {
      return LlplPool.whyAbsent();
    } catch (LinkageError e) {
      return "the library is absent; on the module path start java with --add-modules llpl: " + e;
    }
  }

  /**
   * Without its optimizing compiler, HotSpot has no code that flushes cache lines but calls it
   * anyway: the process would crash.
   */
  private static void refuseWithoutFlush() throws IOException {
    String info = System.getProperty("java.vm.info", "");
    int level = levelOfCompilation();
    if (level < ALL_COMPILERS
        || info.contains("interpreted mode")
        || info.contains("emulated-client")) {
      throw new IOException(
          "mode PMEM with engine JDK would crash this JVM, which runs without its optimizing"
              + " compiler; leave -Xint, -XX:TieredStopAtLevel, -XX:CompilationMode and"
              + " -XX:+NeverActAsServerClassMachine away: level="
              + level
              + ", java.vm.info="
              + info);
    }
  }

  /** The highest compilation level of this JVM; 0 if it is unknown. */
  private static int levelOfCompilation() {
    HotSpotDiagnosticMXBean hotSpot =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    try {
      return hotSpot == null
          ? 0
          : Integer.parseInt(hotSpot.getVMOption("TieredStopAtLevel").getValue());
    } catch (IllegalArgumentException _) {
      return 0;
    }
  }

  private static boolean mapsSynchronously(Path folder) throws IOException {
    // A fixed name, so that crashes leave at most one such file.
    Path probe = Unwrappable.unwrapAll(folder).resolve("probe.unfinished");
    try {
      return Uninterruptibles.call(() -> tryToMapSynchronously(probe));
    } finally {
      IOUtils.deleteFilesIgnoringExceptions(probe);
    }
  }

  private static boolean tryToMapSynchronously(Path probe) throws IOException {
    Files.deleteIfExists(probe); // a link must not be followed
    try (FileChannel file =
            FileChannel.open(
                probe,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        Arena arena = Arena.ofConfined()) {
      file.map(ExtendedMapMode.READ_WRITE_SYNC, 0, Layout.PAGE_BYTES, arena);
      return true;
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException | UnsupportedOperationException _) {
      return false;
    }
  }

  PoolMemory map(Path file) throws IOException {
    // The file systems of tests wrap paths, and wrapped paths cannot be mapped.
    Path real = Unwrappable.unwrapAll(file);
    MapMode how = mode == PmemMode.PMEM ? ExtendedMapMode.READ_WRITE_SYNC : MapMode.READ_WRITE;
    return engine == PmemEngine.LLPL ? LlplPool.map(real, how) : new JdkPool(real, how);
  }

  @Override
  public String toString() {
    return "engine="
        + engine
        + " mode="
        + mode
        + (NativeCalls.get().isPresent() ? "" : " (" + NativeCalls.whyAbsent() + ")");
  }
}
