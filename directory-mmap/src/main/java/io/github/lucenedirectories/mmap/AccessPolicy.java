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
    if (memory.level() == MemoryPressure.Level.PLENTY) {
      return new AccessChoice(AccessMode.MAPPED, "all files fit in memory (" + memory + ")");
    }
    if (!isByPositions(memory.level(), kind, FileKind.isMerge(context))) {
      return kind.isCold()
          ? new AccessChoice(
              AccessMode.MAPPED_RANDOM,
              "a query reads a few places, and memory is scarce (" + memory + ")")
          : new AccessChoice(
              AccessMode.MAPPED,
              "some parts are read repeatedly, memory is scarce (" + memory + ")");
    }
    if (memory.level() == MemoryPressure.Level.SCARCE) {
      return new AccessChoice(
          AccessMode.POSITIONAL, "a merge reads all of it, and memory is scarce (" + memory + ")");
    }
    return new AccessChoice(
        AccessMode.POSITIONAL,
        (memory.thrashing() == 0
                ? "hardly anything fits in memory ("
                : "hardly anything stays in memory (")
            + memory
            + ")");
  }

  /**
   * Whether a file is read by positions at this level of memory pressure.
   *
   * <p>A merge reads stored fields from end to end, but its reader may serve searches afterwards:
   * positional reads suit both. Everything else that a merge opens is read as searches read it;
   * vectors, which it reads at random to build a graph, stay mapped.
   */
  static boolean isByPositions(MemoryPressure.Level memory, FileKind kind, boolean merge) {
    return switch (memory) {
      case PLENTY -> false;
      case SCARCE -> merge && kind.isCold();
      case THRASHING -> kind != FileKind.VECTORS;
      case STARVED -> !(merge && kind == FileKind.VECTORS);
    };
  }
}
