// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories;

import java.io.Closeable;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.LockFactory;
import org.apache.lucene.store.NativeFSLockFactory;
import org.apache.lucene.store.NoLockFactory;
import org.apache.lucene.store.SimpleFSLockFactory;
import org.apache.lucene.store.SingleInstanceLockFactory;
import org.apache.lucene.util.IOSupplier;
import org.apache.lucene.util.IOUtils;

/**
 * The parts of a URI, as a {@link DirectoryProvider} reads them. What is invalid raises an {@link
 * IllegalArgumentException} that says what is valid. For one thread.
 */
public final class DirectoryOptions {

  private static final String UNITS = "kmgt";
  private static final int UNIT_BITS = 10;

  /** Those that the URI has not named yet. */
  private final Map<String, DirectoryProvider.Kind> kinds = new TreeMap<>();

  private final List<Closeable> opened = new ArrayList<>();
  private final Map<String, String> values = new TreeMap<>();
  private final Map<String, String> known = new TreeMap<>();

  /** The part of the URI before its options that is not parsed yet. */
  private String rest;

  DirectoryOptions(String uri) {
    ServiceLoader.load(DirectoryProvider.class, DirectoryProvider.class.getClassLoader())
        .forEach(provider -> kinds.putAll(provider.kinds()));
    String[] parts = uri.split("\\?", 2);
    rest = parts[0];
    for (String option : parts.length == 1 ? new String[0] : parts[1].split("&", -1)) {
      String[] sides = option.split("=", 2);
      if (sides.length == 1 || values.put(decode(sides[0]), decode(sides[1])) != null) {
        throw new IllegalArgumentException("'" + option + "' should be option=value, and once");
      }
    }
  }

  private static String decode(String text) {
    // This decoder is that of forms, where a plus is a space.
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  /** Checks the whole URI; what this returns opens all that it names, or nothing. */
  IOSupplier<Directory> opener() {
    IOSupplier<Directory> opener = directory();
    if (hasMore()) {
      throw new IllegalArgumentException("unexpected '" + rest + "'");
    }
    values.keySet().forEach(option -> choose(option, known, "option"));
    return () -> {
      try {
        Directory directory = opener.get();
        return opened.size() == 1 ? directory : closing(directory);
      } catch (Throwable e) {
        IOUtils.closeWhileHandlingException(opened);
        throw e;
      }
    };
  }

  private Directory closing(Directory directory) {
    return new FilterDirectory(directory) {
      @Override
      public void close() throws IOException {
        IOUtils.close(opened);
      }

      @Override // a copy that fails must not delete a file that it did not create
      public void copyFrom(Directory from, String src, String dest, IOContext context)
          throws IOException {
        in.copyFrom(from, src, dest, context);
      }
    };
  }

  /** What opens the directory below, which the URI names next. */
  public IOSupplier<Directory> directory() {
    int colon = rest.indexOf(':');
    String name = rest.substring(0, Math.max(0, colon));
    DirectoryProvider.Kind kind = choose(name, kinds, "directory");
    kinds.remove(name);
    rest = rest.substring(colon + 1);
    IOSupplier<? extends Directory> opener = kind.configure(this);
    return () -> closeLater(opener.get());
  }

  /** Takes what is to be closed after the directory over it; a directory below is, too. */
  public <T extends Closeable> T closeLater(T part) {
    opened.addFirst(part);
    return part;
  }

  /** Whether the URI goes on: with a folder, or a directory below. */
  public boolean hasMore() {
    return !rest.isEmpty();
  }

  /** The folder. */
  public Path folder() {
    if (!hasMore()) {
      throw new IllegalArgumentException("the folder is missing, as in hybrid:/var/lib/index");
    }
    String folder = decode(rest);
    rest = "";
    return Path.of(folder);
  }

  /**
   * Calls a setter if its option is given.
   *
   * @param type {@code Boolean}, {@code String}, or {@code String[]} for names between commas;
   *     {@code Long}, also for {@code 64k}, {@code 16m}, {@code 4g} or {@code 1t}; an enum, whose
   *     constants are given in any case without underscores; or {@code LockFactory}, for {@code
   *     native}, {@code simple}, {@code process} and {@code none}
   */
  public <T> void set(String option, Class<T> type, Consumer<T> setter) {
    known.put(option, option);
    String value = values.get(option);
    if (value != null) {
      try {
        setter.accept(type.cast(parse(value, type)));
      } catch (IllegalArgumentException | ArithmeticException e) {
        throw new IllegalArgumentException(option + "=" + value + ": " + e.getMessage(), e);
      }
    }
  }

  private static Object parse(String value, Class<?> type) {
    if (type == String.class) {
      return value;
    } else if (type == String[].class) {
      check(value, "[^,]+(,[^,]+)*", "names separated by commas");
      return value.split(",");
    } else if (type == Long.class) {
      return number(value.toLowerCase(Locale.ROOT));
    }
    Map<String, Object> words = new TreeMap<>();
    if (type == Boolean.class) {
      words.putAll(Map.of("true", true, "false", false));
    } else if (type == LockFactory.class) {
      words.put("native", NativeFSLockFactory.INSTANCE);
      words.put("simple", SimpleFSLockFactory.INSTANCE);
      words.put("process", new SingleInstanceLockFactory());
      words.put("none", NoLockFactory.INSTANCE);
    } else {
      for (Object constant : type.getEnumConstants()) {
        words.put(constant.toString().toLowerCase(Locale.ROOT).replace("_", ""), constant);
      }
    }
    return choose(value.toLowerCase(Locale.ROOT), words, "value");
  }

  private static long number(String value) {
    check(value, "\\d{1,18}[" + UNITS + "]?", "a number, as in 65536, 64k or 4g");
    int last = value.length() - 1;
    int unit = UNITS.indexOf(value.charAt(last)) + 1;
    long number = Long.parseLong(unit > 0 ? value.substring(0, last) : value);
    return Math.multiplyExact(number, 1L << (UNIT_BITS * unit));
  }

  private static void check(String value, String pattern, String meaning) {
    if (!value.matches(pattern)) {
      throw new IllegalArgumentException("it should be " + meaning);
    }
  }

  private static <T> T choose(String word, Map<String, T> allowed, String what) {
    T chosen = allowed.get(word);
    if (chosen == null) {
      Comparator<String> closest = Comparator.comparingInt(each -> distance(word, each));
      String best = allowed.keySet().stream().min(closest).orElse("none");
      throw new IllegalArgumentException(
          ("unknown " + what + " '" + word + "'; did you mean '" + best + "'? Allowed: ")
              + String.join(", ", allowed.keySet()));
    }
    return chosen;
  }

  /** The Levenshtein distance, by the rows of its table. */
  private static int distance(String left, String right) {
    int[] row = IntStream.rangeClosed(0, right.length()).toArray();
    for (int i = 0; i < left.length(); i++) {
      int diagonal = row[0]++;
      for (int j = 1; j < row.length; j++) {
        int replaced = diagonal + (left.charAt(i) == right.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[right.length()];
  }
}
