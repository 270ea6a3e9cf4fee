package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.core.ReadHints;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.FileDataHint;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.ReadOnceHint;

/** The rules by which a {@link HybridDirectory} chooses how to read a file. */
final class ReadChooser {

  /** Extensions of stored fields and term vectors. */
  private static final Set<String> STORED = Set.of("fdt", "tvd");

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
    if (memory.level() == MemoryDemand.Level.PLENTY) {
      return new ReadChoice(ReadWay.MAPPED, "all files fit in memory (" + memory + ")");
    }
    if (ReadHints.isStream(context)) {
      return new ReadChoice(
          ReadWay.POSITIONAL, "read from end to end, and memory is scarce (" + memory + ")");
    }
    if (!isByPositions(memory.level(), context)) {
      return ReadHints.isReadInPieces(context)
          ? new ReadChoice(
              ReadWay.MAPPED_RANDOM,
              "a query reads a few places, and memory is scarce (" + memory + ")")
          : new ReadChoice(
              ReadWay.MAPPED,
              "queries read it again and again, and memory is scarce (" + memory + ")");
    }
    return new ReadChoice(
        ReadWay.POSITIONAL,
        (memory.churn() == 0
                ? "hardly anything fits in memory ("
                : "hardly anything stays in memory (")
            + memory
            + ")");
  }

  /** Whether a file is read by positions because of the memory, and as long as it is like this. */
  static boolean isByPositions(MemoryDemand.Level memory, IOContext context) {
    return switch (memory) {
      case PLENTY -> false;
      case SCARCE -> ReadHints.isStream(context);
      case CHURNING ->
          ReadHints.isStream(context) || !context.hints().contains(FileDataHint.KNN_VECTORS);
      case STARVED -> true;
    };
  }

  /** Whether a file holds what a query reads a few places of, for its hits. */
  static boolean isStored(String name) {
    String extension = IndexFileNames.getExtension(name);
    return extension != null && STORED.contains(extension);
  }
}
