package io.github.lucenedirectories.ram;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Which content the names of a directory have, so far as their files were opened.
 *
 * <p>A content ends when its name is created, deleted or renamed. While that goes on, and where a
 * file was opened before and after it, nobody can tell which of both an input reads: it then gets a
 * content of its own. All methods may be called from any thread.
 */
final class ContentTable {

  private final Function<String, CachedContent> newContent;
  private final Map<String, CachedContent> contents = new HashMap<>();

  /** Set when all contents have ended: what is opened from then on is shared by nobody. */
  private boolean closed;

  /** The names that are being changed, each with how often. */
  private final Map<String, Integer> changing = new HashMap<>();

  /**
   * @param newContent makes a content for a name
   */
  ContentTable(Function<String, CachedContent> newContent) {
    this.newContent = newContent;
  }

  /** The content of a name whose file the caller is about to open; ends with {@link #release}. */
  synchronized CachedContent take(String name) {
    CachedContent content =
        closed || changing.containsKey(name)
            ? ownContent(name)
            : contents.computeIfAbsent(name, newContent);
    content.users++;
    return content;
  }

  /**
   * The content of the file that was opened since one was taken; a use of its own. It is another
   * one where the name has changed, or where the file has grown, as one does that was opened while
   * it was written.
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

  /** Ends a use; returns whether nobody needs the content's blocks any more. */
  synchronized boolean release(CachedContent content) {
    content.users--;
    if (content.users == 0 && content.length == null && !content.ended) {
      // There is no such file.
      contents.remove(content.name);
      content.ended = true;
    }
    return content.users == 0 && content.ended;
  }

  /** Begins to change a name; returns the contents whose blocks nobody needs any more. */
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

  /** Ends all contents; returns those whose blocks nobody needs any more. */
  synchronized List<CachedContent> endAll() {
    List<CachedContent> unused = new ArrayList<>();
    contents.values().forEach(content -> unused.addAll(end(content)));
    contents.clear();
    closed = true;
    return unused;
  }
}
