// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.tasks;

import static io.github.lucenedirectories.benchmarks.tasks.TermPool.Frequency.HIGH;
import static io.github.lucenedirectories.benchmarks.tasks.TermPool.Frequency.LOW;
import static io.github.lucenedirectories.benchmarks.tasks.TermPool.Frequency.MEDIUM;

import io.github.lucenedirectories.benchmarks.corpus.Fields;
import io.github.lucenedirectories.benchmarks.tasks.TermPool.Frequency;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;

/**
 * Picks the default kinds' queries from an index: words by document frequency, pairs and phrases
 * that have hits, keys that exist. The same index and seed give the same queries, and a kind's
 * queries do not depend on which other kinds are asked for.
 */
public final class QueryPicker {
  private static final int PREFIX_LETTERS = 3;
  private static final int WILDCARD_LETTERS = 2;
  private static final int WORD_LETTERS = 5;
  private static final int SECONDS_OF_DAY = 24 * 60 * 60;

  /* Keys to choose from, and keys that one lookup asks for. */
  private static final int KEYS = 10_000;
  private static final int LOOKUP = 20;

  /* Tries for each query; nearly every first one succeeds except for phrases. */
  private static final int TRIES = 300;

  /* How to pick a query of each kind that is run by default, in the order of the table. */
  private static final Map<String, Pick> PICKS = new LinkedHashMap<>();

  static {
    PICKS.put("HighTerm", (p, r) -> p.word(HIGH, r));
    PICKS.put("MedTerm", (p, r) -> p.word(MEDIUM, r));
    PICKS.put("LowTerm", (p, r) -> p.word(LOW, r));
    PICKS.put("AndHighHigh", (p, r) -> p.both(HIGH, r));
    PICKS.put("AndHighMed", (p, r) -> p.both(MEDIUM, r));
    PICKS.put("OrHighHigh", (p, r) -> p.two(HIGH, HIGH, r));
    PICKS.put("OrHighMed", (p, r) -> p.two(HIGH, MEDIUM, r));
    PICKS.put("Phrase", (p, r) -> p.phrase(0, r).map(pair -> '"' + pair + '"'));
    PICKS.put("SloppyPhrase", (p, r) -> p.phrase(4, r).map(pair -> '"' + pair + "\"~4"));
    PICKS.put(
        "Prefix3", (p, r) -> p.longWord(MEDIUM, r).map(w -> w.substring(0, PREFIX_LETTERS) + "*"));
    PICKS.put(
        "Wildcard",
        (p, r) ->
            p.longWord(MEDIUM, r)
                .map(w -> w.substring(0, WILDCARD_LETTERS) + "*" + w.charAt(w.length() - 1)));
    PICKS.put("Fuzzy1", (p, r) -> p.longWord(LOW, r).map(w -> w + "~1"));
    PICKS.put("Fuzzy2", (p, r) -> p.longWord(LOW, r).map(w -> w + "~2"));
    PICKS.put("IntNRQ", (p, r) -> Optional.of(range(r)));
    PICKS.put("TermDateTimeSort", (p, r) -> p.word(HIGH, r).map("lastmodndvsort//"::concat));
    PICKS.put("TermTitleSort", (p, r) -> p.word(HIGH, r).map("titledvsort//"::concat));
    PICKS.put(
        "BrowseRandomLabelSSDVFacets",
        (p, r) -> Optional.of("*:* +facets:sortedset:" + Fields.LABEL));
    PICKS.put("VectorSearch", (p, r) -> p.two(MEDIUM, MEDIUM, r).map("vector//"::concat));
    PICKS.put("PKLookup", (p, r) -> p.lookup(LOOKUP, r));
    PICKS.put("Stored", (p, r) -> p.word(MEDIUM, r).map("stored//"::concat));
    PICKS.put("Highlight", (p, r) -> p.word(MEDIUM, r).map("highlight//"::concat));
  }

  /** The kinds that are run unless the user names others, in the table's order. */
  public static final List<String> KINDS = List.copyOf(PICKS.keySet());

  /* Those that are picked only on request. */
  static {
    PICKS.put("PKLookupOne", (p, r) -> p.lookup(1, r));
    PICKS.put("StoredOne", (_, r) -> documents(1, r));
    PICKS.put("StoredTen", (_, r) -> documents(10, r));
    PICKS.put("StoredHundred", (_, r) -> documents(100, r));
  }

  /**
   * The words that most documents have, stop words included: of all queries those that read most.
   */
  public static final String HARDEST = "HardestTerm";

  /** All kinds that can be picked: those that are run by default, and those only on request. */
  public static final List<String> ALL_KINDS =
      Stream.concat(PICKS.keySet().stream(), Stream.of(HARDEST)).toList();

  private final IndexSearcher searcher;
  private final String field;
  private final long seed;
  private final TermPool terms;
  private final List<String> keys;

  public QueryPicker(IndexReader reader, String field, long seed) throws IOException {
    this.searcher = new IndexSearcher(reader);
    this.field = field;
    this.seed = seed;
    this.terms = new TermPool(reader, field);
    this.keys = keys(reader, new Random(seed));
  }

  /** A sample of the keys, each as likely as any other. */
  private static List<String> keys(IndexReader reader, RandomGenerator random) throws IOException {
    List<String> keys = new ArrayList<>();
    long seen = 0;
    for (LeafReaderContext leaf : reader.leaves()) {
      TermsEnum each = Terms.getTerms(leaf.reader(), Fields.ID).iterator();
      for (BytesRef term = each.next(); term != null; term = each.next()) {
        // Reservoir sampling: the n-th term takes a place with probability KEYS / n.
        if (++seen <= KEYS) {
          keys.add(term.utf8ToString());
          continue;
        }
        long place = random.nextLong(seen);
        if (place < KEYS) {
          keys.set((int) place, term.utf8ToString());
        }
      }
    }
    return keys;
  }

  /** Up to {@code count} different queries of a kind, fewer if the index has no more. */
  public List<TaskLine> pick(String kind, int count) throws IOException {
    if (kind.equals(HARDEST)) {
      return terms.mostFrequent(count).stream().map(word -> new TaskLine(kind, word)).toList();
    }
    Pick pick = Objects.requireNonNull(PICKS.get(kind), kind);
    Random random = new Random(seed * 31 + kind.hashCode());
    Set<String> texts = new LinkedHashSet<>();
    for (int tries = 0; tries < count * TRIES && texts.size() < count; tries++) {
      Optional<String> text = pick.with(this, random);
      text.ifPresent(texts::add);
      if (tries > TRIES && texts.isEmpty()) {
        break;
      }
    }
    return texts.stream().map(text -> new TaskLine(kind, text)).toList();
  }

  /** Picks a query, unless a fair number of tries found none. */
  private interface Pick {
    Optional<String> with(QueryPicker picker, RandomGenerator random) throws IOException;
  }

  private Optional<String> word(Frequency frequency, RandomGenerator random) {
    return terms.pick(frequency, 0, random);
  }

  private Optional<String> longWord(Frequency frequency, RandomGenerator random) {
    return terms.pick(frequency, WORD_LETTERS, random);
  }

  /** Two different words with a space between. */
  private Optional<String> two(Frequency first, Frequency second, RandomGenerator random) {
    Optional<String> a = word(first, random);
    Optional<String> b = word(second, random);
    return a.isEmpty() || b.isEmpty() || a.equals(b)
        ? Optional.empty()
        : Optional.of(a.get() + " " + b.get());
  }

  private Optional<String> both(Frequency second, RandomGenerator random) throws IOException {
    Optional<String> two = two(HIGH, second, random);
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    for (String word : two.orElse("").split(" ", 2)) {
      query.add(new TermQuery(new Term(field, word)), Occur.MUST);
    }
    return searcher.count(query.build()) > 0
        ? two.map(words -> "+" + words.replace(" ", " +"))
        : Optional.empty();
  }

  /** Words that stand together in the text, or, where it is not stored, any two with hits. */
  private Optional<String> phrase(int slop, RandomGenerator random) throws IOException {
    Optional<String> pair = terms.pickPair(random);
    if (pair.isPresent()) {
      return pair;
    }
    Optional<String> two = two(HIGH, HIGH, random);
    return searcher.count(new PhraseQuery(slop, field, two.orElse("").split(" ", 2))) > 0
        ? two
        : Optional.empty();
  }

  private static String range(RandomGenerator random) {
    int a = random.nextInt(SECONDS_OF_DAY);
    int b = random.nextInt(SECONDS_OF_DAY);
    return "nrq//" + Fields.SECOND_OF_DAY + " " + Math.min(a, b) + " " + Math.max(a, b);
  }

  private Optional<String> lookup(int count, RandomGenerator random) {
    return keys.isEmpty()
        ? Optional.empty()
        : Optional.of(
            random
                .ints(count, 0, keys.size())
                .mapToObj(keys::get)
                .collect(Collectors.joining(" ", "pk//", "")));
  }

  private static Optional<String> documents(int count, RandomGenerator random) {
    return Optional.of("docs//" + count + " " + random.nextInt(Integer.MAX_VALUE));
  }
}
