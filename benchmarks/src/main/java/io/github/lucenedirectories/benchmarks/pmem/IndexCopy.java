// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.pmem;

import io.github.lucenedirectories.benchmarks.console.Progress;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOUtils;

/**
 * A copy of files into an empty directory, durable and with checksums verified. Commits get their
 * names last: an interrupted copy leaves no commit with a file missing.
 */
public final class IndexCopy {
  private static final int BUFFER_BYTES = 1 << 16;

  private IndexCopy() {}

  /**
   * Copies files; if that fails none of them is left.
   *
   * @return how many of them have a checksum
   * @throws CorruptIndexException if one is damaged; its message says in which directory
   */
  static int run(Directory from, Directory to, Collection<String> names) throws IOException {
    Map<String, String> targets = new LinkedHashMap<>();
    for (String name : names) {
      targets.put(name, name.startsWith(IndexFileNames.SEGMENTS) ? "pending_" + name : name);
    }
    try (Progress progress = new Progress()) {
      progress.start("files", names.size());
      for (Map.Entry<String, String> file : targets.entrySet()) {
        progress.step(file.getKey());
        to.copyFrom(from, file.getKey(), file.getValue(), IOContext.DEFAULT);
        progress.stepDone();
      }
      to.sync(targets.values());
      to.syncMetaData();
      int verified = 0;
      for (Map.Entry<String, String> file : targets.entrySet()) {
        verified += isVerified(from, file.getKey(), to, file.getValue()) ? 1 : 0;
      }
      for (Map.Entry<String, String> file : targets.entrySet()) {
        if (!file.getKey().equals(file.getValue())) {
          to.rename(file.getValue(), file.getKey());
        }
      }
      to.syncMetaData();
      return verified;
    } catch (Throwable t) {
      IOUtils.deleteFilesIgnoringExceptions(to, names);
      IOUtils.deleteFilesIgnoringExceptions(to, targets.values());
      throw t;
    }
  }

  private static boolean isVerified(Directory from, String name, Directory to, String target)
      throws IOException {
    try {
      return hasRightChecksum(to, target);
    } catch (CorruptIndexException e) {
      // If the original is damaged, the message names it.
      hasRightChecksum(from, name);
      throw e;
    }
  }

  /**
   * Reads a whole file and verifies the checksum at its end.
   *
   * @return false if no codec wrote the file, so that it has no checksum
   * @throws CorruptIndexException if the checksum is wrong, the end is missing, or the memory that
   *     the bytes lie in cannot be read
   */
  public static boolean hasRightChecksum(Directory directory, String name) throws IOException {
    try (IndexInput in = directory.openInput(name, IOContext.READONCE)) {
      if (isOfCodec(in)) {
        CodecUtil.checksumEntireFile(in);
        return true;
      }
      byte[] buffer = new byte[BUFFER_BYTES];
      in.seek(0);
      for (long left = in.length(); left > 0; left -= buffer.length) {
        in.readBytes(buffer, 0, (int) Math.min(left, buffer.length));
      }
      return false;
    } catch (InternalError e) {
      // How HotSpot reports a fault: damaged media, or a file that was cut.
      throw new CorruptIndexException("cannot be read: " + e, name, e);
    }
  }

  /** One of the two ends may be damaged. */
  private static boolean isOfCodec(IndexInput in) throws IOException {
    long footerAt = in.length() - CodecUtil.footerLength();
    if (footerAt < 0) {
      return false;
    }
    in.seek(footerAt);
    boolean hasFooter = CodecUtil.readBEInt(in) == CodecUtil.FOOTER_MAGIC;
    in.seek(0);
    return hasFooter || CodecUtil.readBEInt(in) == CodecUtil.CODEC_MAGIC;
  }
}
