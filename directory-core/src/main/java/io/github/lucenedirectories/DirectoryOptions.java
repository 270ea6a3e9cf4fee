package io.github.lucenedirectories;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.store.LockFactory;
import org.apache.lucene.store.NativeFSLockFactory;
import org.apache.lucene.store.NoLockFactory;
import org.apache.lucene.store.SimpleFSLockFactory;
import org.apache.lucene.store.SingleInstanceLockFactory;
import org.jspecify.annotations.Nullable;

/**
 * The options of a URI, as a {@link DirectoryProvider} reads them. Each method that takes a setter
 * calls it if the option is there, and reports what the setter refuses. For one thread.
 */
public final class DirectoryOptions {

  private static final Pattern SIZE = Pattern.compile("(\\d{1,18})([kmgt]?)");
  private static final String UNITS = "kmgt";
  private static final int UNIT_BITS = 10;

  private final String uri;
  private final Map<String, DirectoryProvider> providers = new TreeMap<>();
  private final Map<String, String> values = new LinkedHashMap<>();
  private final Set<String> known = new TreeSet<>();
  private final Set<String> names = new HashSet<>();

  /** The part of the URI before its options that is not parsed yet. */
  private String rest;

  DirectoryOptions(String uri, Collection<DirectoryProvider> all) {
    this.uri = uri;
    all.forEach(provider -> providers.put(provider.name(), provider));
    int query = uri.indexOf('?');
    rest = query < 0 ? uri : uri.substring(0, query);
    if (query >= 0) {
      for (String part : uri.substring(query + 1).split("&", -1)) {
        int equals = part.indexOf('=');
        if (equals < 1) {
          throw error("'" + part + "' should be option=value", null);
        }
        String name = decode(part.substring(0, equals));
        if (values.put(name, decode(part.substring(equals + 1))) != null) {
          throw error("option '" + name + "' is given twice", null);
        }
      }
    }
  }

  private DirectoryUriException error(String what, @Nullable Throwable cause) {
    return new DirectoryUriException(uri, what, cause);
  }

  private String decode(String text) {
    try {
      // This decoder is that of forms, where a plus is a space.
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw error("'" + text + "' has a % without two hexadecimal digits", e);
    }
  }

  /**
   * The directory below: the next name of the URI.
   *
   * @throws DirectoryUriException if there is none, or a directory of its kind is above it
   */
  public DirectoryProvider.Opener directory() {
    int colon = rest.indexOf(':');
    if (colon < 0) {
      throw error(
          "the name of a directory is missing before '"
              + rest
              + "', as in hybrid:/var/lib/index; known: "
              + String.join(", ", providers.keySet()),
          null);
    }
    String name = rest.substring(0, colon);
    DirectoryProvider provider = providers.get(name);
    if (provider == null) {
      throw error("unknown directory '" + name + "'" + closest(name, providers.keySet()), null);
    }
    if (!names.add(name)) {
      throw error("'" + name + "' is given twice", null);
    }
    rest = rest.substring(colon + 1);
    try {
      return provider.configure(this);
    } catch (DirectoryUriException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw error(String.valueOf(e.getMessage()), e);
    }
  }

  /** Whether the URI goes on: with a folder, or a directory below. */
  public boolean hasMore() {
    return !rest.isEmpty();
  }

  /**
   * The folder.
   *
   * @throws DirectoryUriException if there is none, or it is no valid path
   */
  public Path folder() {
    if (rest.isEmpty()) {
      throw error("the folder is missing, as in hybrid:/var/lib/index", null);
    }
    String folder = decode(rest);
    rest = "";
    try {
      return Path.of(folder);
    } catch (IllegalArgumentException e) {
      throw error(String.valueOf(e.getMessage()), e);
    }
  }

  /** Any text. */
  public void text(String option, Consumer<String> setter) {
    read(option, Function.identity(), setter, "a text");
  }

  /** A number of bytes, as in {@code 512}, {@code 64k}, {@code 16m}, {@code 4g} or {@code 1t}. */
  public void bytes(String option, LongConsumer setter) {
    read(
        option,
        DirectoryOptions::size,
        setter::accept,
        "a number of bytes, as in 65536, 64k or 4g");
  }

  private static long size(String value) {
    Matcher size = SIZE.matcher(value.toLowerCase(Locale.ROOT));
    if (!size.matches()) {
      throw new IllegalArgumentException(value);
    }
    String unit = size.group(2);
    int shift = unit.isEmpty() ? 0 : UNIT_BITS * (UNITS.indexOf(unit) + 1);
    long number = Long.parseLong(size.group(1));
    if (number > Long.MAX_VALUE >> shift) {
      throw new IllegalArgumentException(value);
    }
    return number << shift;
  }

  /** A number of bytes below 2 GiB, as {@link #bytes} reads it. */
  public void intBytes(String option, IntConsumer setter) {
    bytes(option, bytes -> setter.accept(Math.toIntExact(bytes)));
  }

  /** A whole number. */
  public void number(String option, IntConsumer setter) {
    read(option, Integer::valueOf, setter::accept, "a whole number");
  }

  /** {@code true} or {@code false}. */
  public void flag(String option, Consumer<Boolean> setter) {
    choice(option, Map.of("true", true, "false", false), setter);
  }

  /** The name of a constant, in any case, with or without its underscores. */
  public <E extends Enum<E>> void constant(String option, Class<E> type, Consumer<E> setter) {
    choice(
        option,
        Stream.of(type.getEnumConstants())
            .collect(
                Collectors.toMap(
                    constant -> constant.name().toLowerCase(Locale.ROOT).replace("_", ""),
                    Function.identity())),
        setter);
  }

  /** How the index is locked: {@code native}, {@code simple}, {@code process} or {@code none}. */
  public void locks(Consumer<LockFactory> setter) {
    choice(
        "locks",
        Map.of(
            "native", NativeFSLockFactory.INSTANCE,
            "simple", SimpleFSLockFactory.INSTANCE,
            "process", new SingleInstanceLockFactory(),
            "none", NoLockFactory.INSTANCE),
        setter);
  }

  /** Names separated by commas; the setter is called once for each. */
  public void names(String option, Consumer<String> setter) {
    read(option, DirectoryOptions::split, all -> all.forEach(setter), "names separated by commas");
  }

  private static List<String> split(String value) {
    List<String> all = List.of(value.split(",", -1));
    if (all.contains("")) {
      throw new IllegalArgumentException(value);
    }
    return all;
  }

  private <T> void choice(String option, Map<String, ? extends T> choices, Consumer<T> setter) {
    read(
        option,
        value -> {
          T chosen = choices.get(value.toLowerCase(Locale.ROOT).replace("_", ""));
          if (chosen == null) {
            throw error(
                option + "=" + value + " is invalid" + closest(value, choices.keySet()), null);
          }
          return chosen;
        },
        setter,
        "");
  }

  private <T> void read(
      String option, Function<String, T> parser, Consumer<T> setter, String allowed) {
    known.add(option);
    String value = values.get(option);
    if (value == null) {
      return;
    }
    T parsed;
    try {
      parsed = parser.apply(value);
    } catch (DirectoryUriException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw error(option + "=" + value + " should be " + allowed, e);
    }
    try {
      setter.accept(parsed);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw error(option + "=" + value + " is invalid: " + e.getMessage(), e);
    }
  }

  /** Throws if a part of the URI or an option was not used. */
  void end() {
    if (hasMore()) {
      throw error("unexpected '" + rest + "'", null);
    }
    for (String name : values.keySet()) {
      if (!known.contains(name)) {
        throw error("unknown option '" + name + "'" + closest(name, known), null);
      }
    }
  }

  /** What to write in place of a word, and all that is allowed. */
  private static String closest(String word, Collection<String> allowed) {
    String closest =
        allowed.stream().min(Comparator.comparingInt(each -> distance(word, each))).orElse("none");
    return "; did you mean '"
        + closest
        + "'? Allowed: "
        + allowed.stream().sorted().collect(Collectors.joining(", "));
  }

  /** The Levenshtein distance, without regard to case. */
  private static int distance(String left, String right) {
    int[] row = IntStream.rangeClosed(0, right.length()).toArray();
    for (int i = 0; i < left.length(); i++) {
      int diagonal = row[0];
      row[0] = i + 1;
      for (int j = 0; j < right.length(); j++) {
        boolean same =
            Character.toLowerCase(left.charAt(i)) == Character.toLowerCase(right.charAt(j));
        int next = Math.min(diagonal + (same ? 0 : 1), Math.min(row[j], row[j + 1]) + 1);
        diagonal = row[j + 1];
        row[j + 1] = next;
      }
    }
    return row[right.length()];
  }
}
