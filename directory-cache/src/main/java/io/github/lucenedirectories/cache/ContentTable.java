// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.cache;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The contents of a directory's files that were opened, by name.
 *
 * <p>A content ends when its name is created, deleted or renamed. An open that overlaps such a
 * change may read the old or the new file, so its input gets a private content. All methods may be
 * called from any thread.
 */
final class ContentTable {

  private final Function<String, CachedContent> newContent;
  private final Map<String, CachedContent> contents = new HashMap<>();

  /** Set when all contents have ended: later opens get private contents. */
  private boolean closed;

  /** Names that are being changed, each with the number of changes in progress. */
  private final Map<String, Integer> changing = new HashMap<>();

  /**
   * @param newContent makes a content for a name
   */
  ContentTable(Function<String, CachedContent> newContent) {
    this.newContent = newContent;
  }

  /** The content for a file that the caller is about to open; ends with {@link #release}. */
  synchronized CachedContent take(String name) {
    CachedContent content =
        closed || changing.containsKey(name)
            ? ownContent(name)
            : contents.computeIfAbsent(name, newContent);
    content.users++;
    return content;
  }

  /**
   * The content of the file that was opened after {@link #take}; the caller releases both. It is
   * another content if the name was changed meanwhile, or if the file has grown because its first
   * input was opened while it was written.
   */
  synchronized CachedContent confirm(CachedContent taken, long length) {
    boolean current = contents.get(taken.name) == taken;
    long known = taken.length == null ? length : taken.length;
    if (current && known == length) {
      taken.length = length;
      taken.users++;
      return taken;
    }
    CachedContent other = ownContent(taken.name);
    other.length = length;
    if (current && length > known) {
      other.ended = false;
      contents.put(taken.name, other);
      taken.ended = true;
    }
    other.users++;
    return other;
  }

  private CachedContent ownContent(String name) {
    CachedContent own = newContent.apply(name);
    own.ended = true;
    return own;
  }

  /** Ends a use; returns whether the content's blocks can be freed. */
  synchronized boolean release(CachedContent content) {
    content.users--;
    if (content.users == 0 && content.length == null && !content.ended) {
      // No open succeeded: there is no such file.
      contents.remove(content.name);
      content.ended = true;
    }
    return content.users == 0 && content.ended;
  }

  /** Begins to change a name; returns the contents whose blocks can be freed. */
  synchronized List<CachedContent> beginChange(String name) {
    changing.merge(name, 1, Integer::sum);
    CachedContent content = contents.remove(name);
    return content == null ? List.of() : end(content);
  }

  synchronized void endChange(String name) {
    changing.computeIfPresent(name, (_, n) -> n == 1 ? null : n - 1);
  }

  private static List<CachedContent> end(CachedContent content) {
    content.ended = true;
    return content.users == 0 ? List.of(content) : List.of();
  }

  /** Ends all contents; returns those whose blocks can be freed. */
  synchronized List<CachedContent> endAll() {
    List<CachedContent> unused = new ArrayList<>();
    contents.values().forEach(content -> unused.addAll(end(content)));
    contents.clear();
    closed = true;
    return unused;
  }
}
