// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * A file in an index's folder whose name says which journal has later commits. The form of the name
 * must stay, so that every release sees that there is a journal.
 *
 * @param journal the id of the journal
 * @param index the id of the index in the journal
 * @param position the folder has what the journal has of the index before this, in bytes
 * @param closed whether the directory was closed, so that the folder lacks nothing
 * @param path where the journal was when the link was made: the contents of the file
 */
record JournalLink(UUID journal, UUID index, long position, boolean closed, String path) {

  /** The end of all positions. */
  static final long END = Long.MAX_VALUE;

  /** What the names of links, and of other files that are to be seen as absent, begin with. */
  static final String PREFIX = "commit-journal.";

  private static final String PENDING = PREFIX + "pending";

  private static final Pattern NAME =
      Pattern.compile(
          Pattern.quote(PREFIX)
              + "([-0-9a-f]{36})\\.([-0-9a-f]{36})\\.([0-9]{1,18}|"
              + END
              + ")(\\.closed)?");

  /**
   * Reads the link in a folder; null if there is none. A crash may have left two: the later one has
   * the larger position, but is never that of a directory that was closed.
   */
  static @Nullable JournalLink in(Directory folder) throws IOException {
    Matcher link =
        Arrays.stream(folder.listAll())
            .map(NAME::matcher)
            .filter(Matcher::matches)
            .max(
                Comparator.comparingLong(
                    parts -> parts.group(4) == null ? Long.parseLong(parts.group(3)) : -1))
            .orElse(null);
    if (link == null) {
      return null;
    }
    try (IndexInput input = folder.openInput(link.group(), IOContext.READONCE)) {
      UUID journal = UUID.fromString(link.group(1));
      UUID index = UUID.fromString(link.group(2));
      return new JournalLink(
          journal,
          index,
          Long.parseLong(link.group(3)),
          link.group(4) != null,
          JournalRecord.readString(input));
    } catch (EOFException | IllegalArgumentException e) {
      throw new CorruptIndexException("not what a journal writes", link.group(), e);
    }
  }

  String name() {
    return PREFIX + journal + "." + index + "." + position + (closed ? ".closed" : "");
  }

  /**
   * Puts this link in place of others, and deletes what a checkpoint that failed has left. Durable
   * when it returns.
   */
  void write(Directory folder) throws IOException {
    if (!List.of(folder.listAll()).contains(name())) {
      IOUtils.deleteFilesIgnoringExceptions(folder, PENDING);
      try (IndexOutput output = folder.createOutput(PENDING, IOContext.DEFAULT)) {
        output.writeString(path);
      }
      folder.sync(List.of(PENDING));
      folder.rename(PENDING, name());
    }
    folder.syncMetaData();
    for (String other : folder.listAll()) {
      if (isInternal(other) && !other.equals(name())) {
        folder.deleteFile(other);
      }
    }
    if (closed) {
      // Else a crash may bring back a link that says that commits are missing.
      folder.syncMetaData();
    }
  }

  /** Whether a file belongs to the journal and not to the index. */
  static boolean isInternal(String name) {
    return name.startsWith(PREFIX);
  }

  /** The files of an index in a folder. */
  static List<String> list(Directory folder) throws IOException {
    return Arrays.stream(folder.listAll()).filter(name -> !isInternal(name)).toList();
  }
}
