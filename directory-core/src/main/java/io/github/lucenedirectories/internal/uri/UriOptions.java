// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.uri;

import java.io.Closeable;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
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
 * The parts of a URI, as a {@link DirectoryProvider} reads them. An invalid part raises an {@link
 * IllegalArgumentException} that says what is valid. For one thread.
 */
public final class UriOptions {

  private static final String UNITS = "kmgt";
  private static final int UNIT_BITS = 10;

  /** The kinds that the URI has not named yet. */
  private final Map<String, Function<UriOptions, IOSupplier<Directory>>> kinds = new TreeMap<>();

  private final List<Closeable> opened = new ArrayList<>();
  private final Map<String, String> values = new TreeMap<>();
  private final Set<String> known = new TreeSet<>();

  /** The part of the URI before its options that is not parsed yet. */
  private String rest;

  /** Splits a URI. */
  public UriOptions(String uri) {
    ServiceLoader.load(DirectoryProvider.class, DirectoryProvider.class.getClassLoader())
        .forEach(provider -> kinds.putAll(provider.kinds()));
    String[] parts = uri.split("\\?", 2);
    rest = parts[0];
    for (String option : parts.length == 1 ? new String[0] : parts[1].split("&", -1)) {
      String[] sides = option.split("=", 2);
      if (sides.length == 1 || values.put(decode(sides[0]), decode(sides[1])) != null) {
        throw new IllegalArgumentException(
            "expected option=value, each option at most once, but found '" + option + "'");
      }
    }
  }

  private static String decode(String text) {
    // This decoder is that of forms, where a plus is a space.
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  /** Checks the whole URI; what this returns opens all directories that it names, or none. */
  public IOSupplier<Directory> opener() {
    IOSupplier<Directory> opener = directory();
    if (hasMore()) {
      throw new IllegalArgumentException("unexpected '" + rest + "'");
    }
    for (String option : values.keySet()) {
      if (!known.contains(option)) {
        throw unknown("option", option, known);
      }
    }
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

  /** The opener of the directory that the URI names next. */
  public IOSupplier<Directory> directory() {
    int colon = rest.indexOf(':');
    String name = rest.substring(0, Math.max(0, colon));
    Function<UriOptions, IOSupplier<Directory>> kind = kinds.remove(name);
    if (kind == null) {
      throw unknown("directory", name, kinds.keySet());
    }
    rest = rest.substring(colon + 1);
    IOSupplier<Directory> opener = kind.apply(this);
    return () -> closeLater(opener.get());
  }

  /** Closes a part after the directory over it. A {@link #directory} below is closed, too. */
  public <T extends Closeable> T closeLater(T part) {
    opened.addFirst(part);
    return part;
  }

  /** Whether the URI goes on with a folder or a directory below. */
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

  /** Calls a setter if its option is given. */
  public void text(String option, Consumer<String> setter) {
    known.add(option);
    String value = values.get(option);
    if (value != null) {
      try {
        setter.accept(value);
      } catch (IllegalArgumentException | ArithmeticException e) {
        throw new IllegalArgumentException(option + "=" + value + ": " + e.getMessage(), e);
      }
    }
  }

  /** An option whose value is a number, also written as {@code 64k}, 16m, 4g or 1t. */
  public void number(String option, LongConsumer setter) {
    text(
        option,
        value -> {
          String digits = value.toLowerCase(Locale.ROOT);
          require(digits, "\\d{1,18}[" + UNITS + "]?", "a number, as in 65536, 64k or 4g");
          int last = digits.length() - 1;
          int unit = UNITS.indexOf(digits.charAt(last)) + 1;
          long number = Long.parseLong(unit > 0 ? digits.substring(0, last) : digits);
          setter.accept(Math.multiplyExact(number, 1L << (UNIT_BITS * unit)));
        });
  }

  /** An option whose value is a list of names between commas. */
  public void names(String option, Consumer<List<String>> setter) {
    text(
        option,
        value -> {
          require(value, "[^,]+(,[^,]+)*", "names separated by commas");
          setter.accept(List.of(value.split(",")));
        });
  }

  private static void require(String value, String pattern, String meaning) {
    if (!value.matches(pattern)) {
      throw new IllegalArgumentException("it should be " + meaning);
    }
  }

  /** An option whose value is a constant of an enum, in any case and without underscores. */
  public <E extends Enum<E>> void constant(String option, Class<E> type, Consumer<E> setter) {
    Map<String, E> words = new TreeMap<>();
    for (E constant : type.getEnumConstants()) {
      words.put(constant.name().toLowerCase(Locale.ROOT).replace("_", ""), constant);
    }
    word(option, words, setter);
  }

  /** The option {@code locks}. */
  public void locks(Consumer<LockFactory> setter) {
    Map<String, LockFactory> words =
        Map.of(
            "native", NativeFSLockFactory.INSTANCE,
            "simple", SimpleFSLockFactory.INSTANCE,
            "process", new SingleInstanceLockFactory(),
            "none", NoLockFactory.INSTANCE);
    word("locks", words, setter);
  }

  private <T> void word(String option, Map<String, T> words, Consumer<T> setter) {
    text(
        option,
        value -> {
          String word = value.toLowerCase(Locale.ROOT);
          T chosen = words.get(word);
          if (chosen == null) {
            throw unknown("value", word, words.keySet());
          }
          setter.accept(chosen);
        });
  }

  private static IllegalArgumentException unknown(String what, String word, Set<String> allowed) {
    return new IllegalArgumentException(
        "unknown "
            + what
            + " '"
            + word
            + "'; allowed: "
            + String.join(", ", new TreeSet<>(allowed)));
  }
}
