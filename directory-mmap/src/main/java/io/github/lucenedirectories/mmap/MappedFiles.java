// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.file.BlockIndexInput;
import io.github.lucenedirectories.internal.file.FileDirectory;
import io.github.lucenedirectories.internal.file.RecentBlocks;
import io.github.lucenedirectories.mmap.MemoryPressure.Level;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.ReadOnceHint;
import org.jspecify.annotations.Nullable;

/** Opens the files of a directory, mapped or for positional reads, as its policy says. */
final class MappedFiles implements FileDirectory.Reader {

  private static final AccessPolicy.Choice NO_ROOM =
      new AccessPolicy.Choice(
          AccessMode.POSITIONAL, "few of the mappings are left that vm.max_map_count allows");

  private final AccessPolicy policy;
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
    this.policy = new AccessPolicy(modes, FileMapper.canMap(folder));
    this.mapper = mapper;
    this.pressure = pressure;
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
  AccessPolicy.Choice choose(Path file, IOContext context) {
    AccessPolicy.Choice choice = chooseWithRoom(file, context);
    return choice.pinned() == AccessMode.POSITIONAL || mapper.hasRoom() ? choice : NO_ROOM;
  }

  /** As {@link #choose}, while the process may have more mappings; so a mapped file was opened. */
  AccessPolicy.Choice chooseWithRoom(Path file, IOContext context) {
    Level level = pressure == null ? Level.UNKNOWN : pressure.state().level();
    return policy.choose(file.getFileName().toString(), context, level);
  }
}
