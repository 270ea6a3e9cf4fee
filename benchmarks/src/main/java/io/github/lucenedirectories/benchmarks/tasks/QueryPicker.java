package io.github.lucenedirectories.benchmarks.tasks;

import static io.github.lucenedirectories.benchmarks.tasks.TermPool.Frequency.HIGH;
import static io.github.lucenedirectories.benchmarks.tasks.TermPool.Frequency.LOW;
import static io.github.lucenedirectories.benchmarks.tasks.TermPool.Frequency.MEDIUM;

import io.github.lucenedirectories.benchmarks.corpus.Fields;
import io.github.lucenedirectories.benchmarks.tasks.TermPool.Frequency;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.TermQuery;
import org.jspecify.annotations.Nullable;

/**
 * Picks the default kinds' queries from an index: words by document frequency, pairs and phrases
 * that have hits, keys that exist. The same index and seed give the same queries, and a kind's
 * queries do not depend on which other kinds are asked for.
 */
public final class QueryPicker {
  /** The kinds that are run unless the user names others, in the table's order. */
  public static final List<String> KINDS =
      List.of(
          "HighTerm",
          "MedTerm",
          "LowTerm",
          "AndHighHigh",
          "AndHighMed",
          "OrHighHigh",
          "OrHighMed",
          "Phrase",
          "SloppyPhrase",
          "Prefix3",
          "Wildcard",
          "Fuzzy1",
          "Fuzzy2",
          "IntNRQ",
          "TermDateTimeSort",
          "TermTitleSort",
          "BrowseRandomLabelSSDVFacets",
          "VectorSearch",
          "PKLookup",
          "Stored",
          "Highlight");

  /**
   * The words that most documents have, stop words included: of all queries those that read most.
   */
  public static final String HARDEST = "HardestTerm";

  /** All kinds that can be picked: those that are run by default, and those only on request. */
  public static final List<String> ALL_KINDS =
      Stream.concat(KINDS.stream(), Stream.of(HARDEST)).toList();

  private static final int PREFIX_LETTERS = 3;
  private static final int WILDCARD_LETTERS = 2;
  private static final int WORD_LETTERS = 5;
  private static final int SECONDS_OF_DAY = 24 * 60 * 60;

  /* Tries for each query; nearly every first one succeeds except for phrases. */
  private static final int TRIES = 300;

  private final IndexSearcher searcher;
  private final String field;
  private final long seed;
  private final TermPool terms;
  private final PhrasePool phrases;
  private final KeyPool keys;

  /**
   * @param field the text field
   */
  public QueryPicker(IndexReader reader, String field, long seed) throws IOException {
    this.searcher = new IndexSearcher(reader);
    this.field = field;
    this.seed = seed;
    this.terms = new TermPool(reader, field);
    this.phrases = new PhrasePool(reader, field, terms);
    this.keys = new KeyPool(reader, Fields.ID, new Random(seed));
  }

  /** Up to {@code count} different queries of a kind, fewer if the index has no more. */
  public List<TaskLine> pick(String kind, int count) throws IOException {
    if (kind.equals(HARDEST)) {
      return terms.mostFrequent(count).stream().map(word -> new TaskLine(kind, word)).toList();
    }
    Random random = new Random(seed * 31 + kind.hashCode());
    Set<String> texts = new LinkedHashSet<>();
    for (int tries = 0; tries < count * TRIES && texts.size() < count; tries++) {
      String text = text(kind, random);
      if (text != null) {
        texts.add(text);
      }
      if (text == null && tries > TRIES && texts.isEmpty()) {
        break;
      }
    }
    List<TaskLine> lines = new ArrayList<>();
    texts.forEach(text -> lines.add(new TaskLine(kind, text)));
    return lines;
  }

  private @Nullable String text(String kind, RandomGenerator random) throws IOException {
    return switch (kind) {
      case "HighTerm" -> word(HIGH, random);
      case "MedTerm" -> word(MEDIUM, random);
      case "LowTerm" -> word(LOW, random);
      case "AndHighHigh" -> both(HIGH, random);
      case "AndHighMed" -> both(MEDIUM, random);
      case "OrHighHigh" -> joined("", word(HIGH, random), " ", word(HIGH, random), "");
      case "OrHighMed" -> joined("", word(HIGH, random), " ", word(MEDIUM, random), "");
      case "Phrase" -> phrase(0, "", random);
      case "SloppyPhrase" -> phrase(4, "~4", random);
      case "Prefix3" -> prefix(random);
      case "Wildcard" -> wildcard(random);
      case "Fuzzy1" -> joined("", terms.pick(LOW, WORD_LETTERS, random), "~1", "", "");
      case "Fuzzy2" -> joined("", terms.pick(LOW, WORD_LETTERS, random), "~2", "", "");
      case "IntNRQ" -> range(random);
      case "TermDateTimeSort" -> joined("lastmodndvsort//", word(HIGH, random), "", "", "");
      case "TermTitleSort" -> joined("titledvsort//", word(HIGH, random), "", "", "");
      case "BrowseRandomLabelSSDVFacets" -> "*:* +facets:sortedset:" + Fields.LABEL;
      case "VectorSearch" ->
          joined("vector//", word(MEDIUM, random), " ", word(MEDIUM, random), "");
      case "PKLookup" -> keys.isEmpty() ? null : "pk//" + String.join(" ", keys.pick(random));
      case "Stored" -> joined("stored//", word(MEDIUM, random), "", "", "");
      case "Highlight" -> joined("highlight//", word(MEDIUM, random), "", "", "");
      default -> throw new IllegalArgumentException("no kind " + kind);
    };
  }

  private @Nullable String word(Frequency frequency, RandomGenerator random) throws IOException {
    return terms.pick(frequency, 0, random);
  }

  private static @Nullable String joined(
      String before,
      @Nullable String first,
      String between,
      @Nullable String second,
      String after) {
    if (first == null || second == null || first.equals(second)) {
      return null;
    }
    return before + first + between + second + after;
  }

  private @Nullable String both(Frequency second, RandomGenerator random) throws IOException {
    String a = word(HIGH, random);
    String b = word(second, random);
    if (a == null || b == null || a.equals(b)) {
      return null;
    }
    BooleanQuery query =
        new BooleanQuery.Builder()
            .add(new TermQuery(new Term(field, a)), Occur.MUST)
            .add(new TermQuery(new Term(field, b)), Occur.MUST)
            .build();
    return searcher.count(query) > 0 ? "+" + a + " +" + b : null;
  }

  /** Words that stand together in the text, or, where it is not stored, any two with hits. */
  private @Nullable String phrase(int slop, String suffix, RandomGenerator random)
      throws IOException {
    String pair = phrases.pick(random);
    if (pair == null) {
      String a = word(HIGH, random);
      String b = word(HIGH, random);
      if (a == null || b == null || a.equals(b)) {
        return null;
      }
      pair = searcher.count(new PhraseQuery(slop, field, a, b)) > 0 ? a + " " + b : null;
    }
    return pair == null ? null : '"' + pair + '"' + suffix;
  }

  private @Nullable String prefix(RandomGenerator random) throws IOException {
    String word = terms.pick(MEDIUM, WORD_LETTERS, random);
    return word == null ? null : word.substring(0, PREFIX_LETTERS) + "*";
  }

  private @Nullable String wildcard(RandomGenerator random) throws IOException {
    String word = terms.pick(MEDIUM, WORD_LETTERS, random);
    return word == null
        ? null
        : word.substring(0, WILDCARD_LETTERS) + "*" + word.charAt(word.length() - 1);
  }

  private static String range(RandomGenerator random) {
    int a = random.nextInt(SECONDS_OF_DAY);
    int b = random.nextInt(SECONDS_OF_DAY);
    return "nrq//" + Fields.SECOND_OF_DAY + " " + Math.min(a, b) + " " + Math.max(a, b);
  }
}
