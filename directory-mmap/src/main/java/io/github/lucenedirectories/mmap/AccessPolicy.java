// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.store.FileKind;
import java.util.Map;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.ReadOnceHint;
import org.jspecify.annotations.Nullable;

/** The rules by which a directory chooses how to read a file that is opened. */
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

  /**
   * How a file is read, and why.
   *
   * @param pinned the mode for as long as the file is open; null if it is mapped, with advice that
   *     follows the memory
   */
  record Choice(@Nullable AccessMode pinned, String reason) {
    static final Choice FOLLOWS_MEMORY = new Choice(null, "follows the memory");
  }

  Choice choose(String name, IOContext context, MemoryPressure.Level level) {
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
