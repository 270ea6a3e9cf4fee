// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.store.FileKind;
import java.util.Map;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.ReadOnceHint;

/** The rules by which a {@link HybridDirectory} chooses how to read a file. */
final class AccessPolicy {

  private final Map<String, AccessMode> modes;
  private final boolean canMap;

  /**
   * Creates the rules.
   *
   * @param modes the user's choice for files with some extensions
   * @param canMap whether the folder's files can be mapped
   */
  AccessPolicy(Map<String, AccessMode> modes, boolean canMap) {
    this.modes = Map.copyOf(modes);
    this.canMap = canMap;
  }

  /** How a file is read that is opened now. */
  AccessChoice choose(String name, IOContext context, MemoryPressure.State memory) {
    if (!canMap) {
      return new AccessChoice(AccessMode.POSITIONAL, true, "not on the default file system");
    }
    if (context.hints().contains(ReadOnceHint.INSTANCE)) {
      return new AccessChoice(AccessMode.POSITIONAL, true, "read once, from beginning to end");
    }
    String extension = IndexFileNames.getExtension(name);
    AccessMode chosen = extension == null ? null : modes.get(extension);
    if (chosen != null) {
      return new AccessChoice(chosen, true, "option for ." + extension);
    }
    FileKind kind = FileKind.of(name, context);
    if (isReadByMerge(kind, context) && memory.level().random().includes(kind)) {
      return new AccessChoice(
          AccessMode.POSITIONAL,
          true,
          "a merge reads all of it, and memory is scarce (" + memory + ")");
    }
    return mapped(kind, memory);
  }

  /**
   * A merge reads these files from end to end, but its reader may serve searches afterwards:
   * positional reads suit both. It reads vectors at random to build a graph, as searches do.
   */
  private static boolean isReadByMerge(FileKind kind, IOContext context) {
    return FileKind.isMerge(context) && kind != FileKind.VECTORS;
  }

  private static AccessChoice mapped(FileKind kind, MemoryPressure.State memory) {
    MemoryPressure.Level level = memory.level();
    if (level.random().includes(kind)) {
      return new AccessChoice(
          AccessMode.MAPPED_RANDOM,
          false,
          kind.isCold()
              ? "a query reads a few places, and memory is scarce (" + memory + ")"
              : "what lies around a page would evict others (" + memory + ")");
    }
    return new AccessChoice(
        AccessMode.MAPPED,
        false,
        level == MemoryPressure.Level.PLENTY
            ? "all files fit in memory (" + memory + ")"
            : "parts are read repeatedly or in runs, memory is scarce (" + memory + ")");
  }
}
