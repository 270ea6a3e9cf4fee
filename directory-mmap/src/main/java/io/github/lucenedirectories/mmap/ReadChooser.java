package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.core.FileKind;
import java.util.Map;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.ReadOnceHint;

/** The rules by which a {@link HybridDirectory} chooses how to read a file. */
final class ReadChooser {

  private final Map<String, ReadWay> ways;
  private final boolean canMap;

  /**
   * Rules.
   *
   * @param ways the user's choice for files with some extensions
   * @param canMap whether the folder's files can be mapped
   */
  ReadChooser(Map<String, ReadWay> ways, boolean canMap) {
    this.ways = Map.copyOf(ways);
    this.canMap = canMap;
  }

  ReadChoice choose(String name, IOContext context, MemoryDemand.State memory) {
    if (!canMap) {
      return new ReadChoice(ReadWay.POSITIONAL, true, "not on the default file system");
    }
    if (context.hints().contains(ReadOnceHint.INSTANCE)) {
      return new ReadChoice(ReadWay.POSITIONAL, true, "read once, from beginning to end");
    }
    String extension = IndexFileNames.getExtension(name);
    ReadWay chosen = extension == null ? null : ways.get(extension);
    if (chosen != null) {
      return new ReadChoice(chosen, true, "option for ." + extension);
    }
    FileKind kind = FileKind.of(name, context);
    if (memory.level() == MemoryDemand.Level.PLENTY) {
      return new ReadChoice(ReadWay.MAPPED, "all files fit in memory (" + memory + ")");
    }
    if (!isByPositions(memory.level(), kind, FileKind.isMerge(context))) {
      return kind == FileKind.STORED
          ? new ReadChoice(
              ReadWay.MAPPED_RANDOM,
              "a query reads a few places, and memory is scarce (" + memory + ")")
          : new ReadChoice(
              ReadWay.MAPPED, "some parts are read repeatedly, memory is scarce (" + memory + ")");
    }
    if (memory.level() == MemoryDemand.Level.SCARCE) {
      return new ReadChoice(
          ReadWay.POSITIONAL, "a merge reads all of it, and memory is scarce (" + memory + ")");
    }
    return new ReadChoice(
        ReadWay.POSITIONAL,
        (memory.churn() == 0
                ? "hardly anything fits in memory ("
                : "hardly anything stays in memory (")
            + memory
            + ")");
  }

  /**
   * Whether a file is read by positions because of the memory, and as long as it is like this.
   *
   * <p>A merge reads stored fields from end to end, but its reader may serve searches afterwards:
   * positional reads suit both. Everything else that a merge opens is read as searches read it;
   * vectors, which it reads at random to build a graph, stay mapped.
   */
  static boolean isByPositions(MemoryDemand.Level memory, FileKind kind, boolean merge) {
    return switch (memory) {
      case PLENTY -> false;
      case SCARCE -> merge && kind == FileKind.STORED;
      case CHURNING -> kind != FileKind.VECTORS;
      case STARVED -> !(merge && kind == FileKind.VECTORS);
    };
  }
}
