// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.file.BlockIndexInput;
import io.github.lucenedirectories.internal.file.FileDirectory;
import io.github.lucenedirectories.internal.file.RecentBlocks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.ReadOnceHint;

/** Opens the files of a directory, mapped or for positional reads, as its policy says. */
final class MappedFiles implements FileDirectory.Reader {

  private static final AccessPolicy.Choice NO_ROOM =
      new AccessPolicy.Choice(
          AccessMode.POSITIONAL, "few of the mappings are left that vm.max_map_count allows");

  private final AccessPolicy policy;
  private final FileMapper mapper;
  private final Advisor advisor;

  MappedFiles(Path folder, Map<String, AccessMode> modes, FileMapper mapper, Advisor advisor) {
    this.policy = new AccessPolicy(modes, FileMapper.canMap(folder));
    this.mapper = mapper;
    this.advisor = advisor;
  }

  @Override
  public IndexInput open(Path file, IOContext context) throws IOException {
    AccessMode pinned = choose(file, context).pinned();
    if (pinned != AccessMode.POSITIONAL) {
      return mapper.open(file, context, advisor, pinned);
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
    return policy.choose(file.getFileName().toString(), context, advisor.level());
  }
}
