// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.file.BlockIndexInput;
import io.github.lucenedirectories.internal.file.FileDirectory;
import io.github.lucenedirectories.internal.file.RecentBlocks;
import io.github.lucenedirectories.internal.store.FileKind;
import io.github.lucenedirectories.mmap.MemoryPressure.Level;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.ReadOnceHint;
import org.jspecify.annotations.Nullable;

/** Chooses how to read the files of a directory, mapped or by positions, and opens them. */
final class MappedFiles implements FileDirectory.Reader {

  private static final Choice NO_ROOM =
      positional("few of the mappings are left that vm.max_map_count allows");

  private final Map<String, AccessMode> modes;
  private final boolean canMap;
  private final FileMapper mapper;
  private final @Nullable MemoryPressure pressure;

  /**
   * Opens the files of a folder.
   *
   * @param modes the user's choice for files with some extensions
   * @param pressure where mapped files count; null if the memory is not watched
   */
  MappedFiles(
      Path folder,
      Map<String, AccessMode> modes,
      FileMapper mapper,
      @Nullable MemoryPressure pressure) {
    this.modes = Map.copyOf(modes);
    this.canMap = FileMapper.canMap(folder);
    this.mapper = mapper;
    this.pressure = pressure;
  }

  /**
   * How a file is read, and why.
   *
   * @param pinned the mode for as long as the file is open; null if it is mapped, with advice that
   *     follows the memory
   */
  record Choice(@Nullable AccessMode pinned, String reason) {
    static final Choice FOLLOWS_MEMORY = new Choice(null, "follows the memory");
  }

  @Override
  public IndexInput open(Path file, IOContext context) throws IOException {
    AccessMode pinned = choose(file, context).pinned();
    if (pinned != AccessMode.POSITIONAL) {
      return mapper.open(file, context, pressure, pinned);
    }
    if (context.hints().contains(ReadOnceHint.INSTANCE)) {
      return BlockIndexInput.openOnce(file, context);
    }
    RecentBlocks recent = RecentBlocks.ofBytes(RecentBlocks.DEFAULT_BLOCK_BYTES);
    return BlockIndexInput.open(file, recent, context);
  }

  /** How a file would be read that is opened now. */
  Choice choose(Path file, IOContext context) {
    Choice choice = chooseWithRoom(file, context);
    return choice.pinned() == AccessMode.POSITIONAL || mapper.hasRoom() ? choice : NO_ROOM;
  }

  /** As {@link #choose}, while the process may have more mappings; so a mapped file was opened. */
  Choice chooseWithRoom(Path file, IOContext context) {
    Level level = pressure == null ? Level.UNKNOWN : pressure.state().level();
    return choose(file.getFileName().toString(), context, level, modes, canMap);
  }

  /**
   * The rules, apart from the number of mappings.
   *
   * @param modes the user's choice for files with some extensions
   * @param canMap whether the folder's files can be mapped
   */
  static Choice choose(
      String name, IOContext context, Level level, Map<String, AccessMode> modes, boolean canMap) {
    if (!canMap) {
      return positional("not on the default file system");
    }
    if (context.hints().contains(ReadOnceHint.INSTANCE)) {
      return positional("read once, from beginning to end");
    }
    String extension = IndexFileNames.getExtension(name);
    AccessMode chosen = extension == null ? null : modes.get(extension);
    if (chosen != null) {
      return new Choice(chosen, "option for ." + extension);
    }
    FileKind kind = FileKind.of(name, context);
    return isReadByMerge(kind, context) && level.isRandom(kind)
        ? positional("a merge reads all of it, and memory is scarce")
        : Choice.FOLLOWS_MEMORY;
  }

  private static Choice positional(String reason) {
    return new Choice(AccessMode.POSITIONAL, reason);
  }

  /**
   * A merge reads these files from end to end, but its reader may serve searches afterwards:
   * positional reads suit both. It reads vectors at random to build a graph, as searches do.
   */
  private static boolean isReadByMerge(FileKind kind, IOContext context) {
    return FileKind.isMerge(context) && kind != FileKind.VECTORS;
  }
}
