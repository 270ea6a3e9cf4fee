package io.github.lucenedirectories.benchmarks.tasks;

import io.github.lucenedirectories.benchmarks.corpus.Fields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * The words of a field by how many documents have them: high in over 2 % of all, medium in over 0.2
 * %, low in fewer. Only words of letters alone, so that each is one word in query syntax too.
 */
final class TermPool {
  /** How frequent a word is. */
  enum Frequency {
    HIGH,
    MEDIUM,
    LOW
  }

  private static final double HIGH_SHARE = 0.02;
  private static final double MEDIUM_SHARE = 0.002;
  private static final int MIN_LETTERS = 2;

  /* In a small index a word of one document is still a word to ask for. */
  private static final int LARGE_INDEX = 5000;
  private static final int LOW_MINIMUM = 5;

  /* Word lists beyond this only cost memory. */
  private static final int MAX_WORDS = 200_000;

  /* Words that may be asked for as the most frequent. */
  private static final int MOST_FREQUENT = 1000;

  private final Map<Frequency, List<String>> words = new EnumMap<>(Frequency.class);
  private final PriorityQueue<Counted> top =
      new PriorityQueue<>(Comparator.comparingInt(Counted::documents));
  private final Set<String> high = new HashSet<>();
  private final Analyzer analyzer = Fields.analyzer();

  private record Counted(String word, int documents) {}

  TermPool(IndexReader reader, String field) throws IOException {
    Terms terms = MultiTerms.getTerms(reader, field);
    if (terms == null) {
      return;
    }
    int documents = reader.maxDoc();
    int minimum = documents >= LARGE_INDEX ? LOW_MINIMUM : 1;
    TermsEnum each = terms.iterator();
    for (BytesRef term = each.next(); term != null; term = each.next()) {
      int frequency = each.docFreq();
      if (frequency >= minimum) {
        List<String> list = list(frequency(frequency, documents));
        String word = term.utf8ToString();
        if (isWord(word)) {
          if (list.size() < MAX_WORDS) {
            list.add(word);
          }
          offerToTop(new Counted(word, frequency));
        }
      }
    }
    high.addAll(list(Frequency.HIGH));
  }

  private void offerToTop(Counted counted) {
    top.add(counted);
    if (top.size() > MOST_FREQUENT) {
      top.remove();
    }
  }

  /**
   * The words that most documents have, the most frequent first; those that analysis changes not.
   */
  List<String> mostFrequent(int count) throws IOException {
    List<Counted> sorted = new ArrayList<>(top);
    sorted.sort(
        Comparator.comparingInt(Counted::documents).reversed().thenComparing(Counted::word));
    List<String> found = new ArrayList<>();
    for (Counted counted : sorted) {
      if (found.size() < count && isUnchanged(counted.word())) {
        found.add(counted.word());
      }
    }
    return found;
  }

  /** Whether it is a frequent word of letters alone. */
  boolean isHigh(String word) {
    return high.contains(word);
  }

  private List<String> list(Frequency frequency) {
    return words.computeIfAbsent(frequency, f -> new ArrayList<>());
  }

  private static Frequency frequency(int documentFrequency, int documents) {
    if (documentFrequency > HIGH_SHARE * documents) {
      return Frequency.HIGH;
    }
    return documentFrequency > MEDIUM_SHARE * documents ? Frequency.MEDIUM : Frequency.LOW;
  }

  private static boolean isWord(String word) {
    return word.length() >= MIN_LETTERS && word.chars().allMatch(Character::isLetter);
  }

  /**
   * A word that analysis leaves as it is, or null if a fair number of tries found none.
   *
   * @param minLength in letters
   */
  @Nullable String pick(Frequency frequency, int minLength, RandomGenerator random)
      throws IOException {
    List<String> list = list(frequency);
    for (int tries = 0; tries < 100 && !list.isEmpty(); tries++) {
      String word = list.get(random.nextInt(list.size()));
      if (word.length() >= minLength && isUnchanged(word)) {
        return word;
      }
    }
    return null;
  }

  private boolean isUnchanged(String word) throws IOException {
    try (TokenStream tokens = analyzer.tokenStream(Fields.BODY, word)) {
      CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
      tokens.reset();
      boolean same = tokens.incrementToken() && term.toString().equals(word);
      same &= !tokens.incrementToken();
      tokens.end();
      return same;
    }
  }
}
