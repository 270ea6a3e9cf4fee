package io.github.lucenedirectories.mmap;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.lucene.store.IOContext;
import org.jspecify.annotations.Nullable;

/** How the files were opened that were opened last, for who asks. Any thread may use it. */
final class RecentChoices {

  private static final int KEPT = 4_096;

  /** How a file was opened. */
  record Opened(IOContext context, ReadChoice choice) {}

  private final Map<String, Opened> files =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Opened> eldest) {
          return size() > KEPT;
        }
      };

  synchronized void put(String name, IOContext context, ReadChoice choice) {
    files.remove(name);
    files.put(name, new Opened(context, choice));
  }

  synchronized @Nullable Opened get(String name) {
    return files.get(name);
  }

  synchronized void remove(String name) {
    files.remove(name);
  }
}
