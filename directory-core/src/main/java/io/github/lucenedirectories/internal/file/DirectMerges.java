// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.internal.os.NativeTarget;
import io.github.lucenedirectories.internal.store.FileKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;

/**
 * Lets large merges bypass the page cache, so that the cache keeps the data that queries read.
 *
 * <p>Small merges use the cache: their segments are merged again soon and take little of it.
 */
public final class DirectMerges {

  /** The size in bytes from which a merge is large. */
  public static final long LEAST_BYTES = 8L << 20;

  /** With less page cache than this, a container has no room for the memory of direct writes. */
  public static final long LEAST_MEMORY_BYTES = 256L << 20;

  /** A size that no merge reaches. */
  public static final long NEVER = Long.MAX_VALUE;

  private DirectMerges() {}

  /**
   * Creates a file; its output bypasses the page cache, where possible, if it belongs to a merge of
   * {@code leastBytes} or more. Vectors never do: the merge reads them again at once, at random, to
   * build a graph. They are not written back early either, since dirty pages stay in the cache.
   *
   * @throws java.nio.file.FileAlreadyExistsException if there is one of that name
   */
  public static IndexOutput create(Path path, IOContext context, long leastBytes)
      throws IOException {
    if (context.mergeInfo() == null) {
      return FileIndexOutput.create(path);
    }
    if (FileKind.of(path.getFileName().toString(), context) == FileKind.VECTORS) {
      return FileIndexOutput.createWithoutWriteBack(path);
    }
    return context.mergeInfo().estimatedMergeBytes() >= leastBytes
        ? create(path)
        : FileIndexOutput.create(path);
  }

  private static IndexOutput create(Path path) throws IOException {
    Optional<NativeTarget> target = NativeTarget.of(path);
    return target.isPresent()
        ? DirectIndexOutput.create(path, target.get())
        : FileIndexOutput.create(path);
  }
}
