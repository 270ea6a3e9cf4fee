package io.github.lucenedirectories.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A fault that the tests should notice.
 *
 * @param area the name of its list
 * @param mode of the JVM, as {@code testkit.mode} spells it
 * @param excuse why the tests need not notice it; null if they must
 * @param files the files to compile, below the project's folder, and how each is changed
 */
record Fault(
    String area,
    String id,
    String what,
    List<String> tests,
    String mode,
    @Nullable Excuse excuse,
    Map<String, List<Edit>> files) {

  /** Why tests need not notice a fault. */
  enum Excuse {
    /** No user can notice it. */
    HARMLESS,
    /** Only the emulated machine with persistent memory can show it. */
    EMULATED
  }

  /** A text, which occurs once, and what takes its place. */
  record Edit(String before, String after) {}

  /**
   * The changed sources, by their paths below the project's folder.
   *
   * @throws IOException if a file is missing, or a text does not occur exactly once
   */
  Map<String, String> mutate(Path root) throws IOException {
    Map<String, String> sources = new LinkedHashMap<>();
    for (Map.Entry<String, List<Edit>> file : files.entrySet()) {
      String source = Files.readString(root.resolve(file.getKey()));
      for (Edit edit : file.getValue()) {
        int at = source.indexOf(edit.before);
        if (at < 0 || source.indexOf(edit.before, at + 1) >= 0) {
          throw new IOException(
              ("the old text occurs " + (at < 0 ? "nowhere" : "more than once"))
                  + (" in " + file.getKey() + ": " + edit.before.strip().lines().findFirst()));
        }
        source = source.substring(0, at) + edit.after + source.substring(at + edit.before.length());
      }
      sources.put(file.getKey(), source);
    }
    return sources;
  }
}
