// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.tasks;

import io.github.lucenedirectories.benchmarks.corpus.Fields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;

/**
 * The words of a field by how many documents have them: high in over 2 % of all, medium in over 0.2
 * %, low in fewer. Only words of letters alone, so that each is one word in query syntax too.
 */
final class TermPool {
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

  private static final int WORD_TRIES = 100;
  private static final int DOCUMENT_TRIES = 50;

  private final IndexReader reader;
  private final String field;
  private final Map<Frequency, List<Word>> words = new EnumMap<>(Frequency.class);
  private final Set<String> high = new HashSet<>();

  private record Word(String text, int documents) {}

  TermPool(IndexReader reader, String field) throws IOException {
    this.reader = reader;
    this.field = field;
    for (Frequency frequency : Frequency.values()) {
      words.put(frequency, new ArrayList<>());
    }
    Terms terms = MultiTerms.getTerms(reader, field);
    if (terms == null) {
      return;
    }
    int minimum = reader.maxDoc() >= LARGE_INDEX ? LOW_MINIMUM : 1;
    TermsEnum each = terms.iterator();
    for (BytesRef term = each.next(); term != null; term = each.next()) {
      List<Word> list = list(frequency(each.docFreq()));
      if (each.docFreq() >= minimum && list.size() < MAX_WORDS) {
        String text = term.utf8ToString();
        if (text.length() >= MIN_LETTERS && text.chars().allMatch(Character::isLetter)) {
          list.add(new Word(text, each.docFreq()));
        }
      }
    }
    list(Frequency.HIGH).forEach(word -> high.add(word.text()));
  }

  private List<Word> list(Frequency frequency) {
    return words.getOrDefault(frequency, List.of());
  }

  private Frequency frequency(int documents) {
    if (documents > HIGH_SHARE * reader.maxDoc()) {
      return Frequency.HIGH;
    }
    return documents > MEDIUM_SHARE * reader.maxDoc() ? Frequency.MEDIUM : Frequency.LOW;
  }

  /** The words that most documents have, the most frequent first. */
  List<String> mostFrequent(int count) {
    return words.values().stream()
        .flatMap(List::stream)
        .sorted(Comparator.comparingInt(Word::documents).reversed().thenComparing(Word::text))
        .map(Word::text)
        .filter(TermPool::isUnchanged)
        .limit(count)
        .toList();
  }

  /** A word, unless a fair number of tries found none. */
  Optional<String> pick(Frequency frequency, int minLength, RandomGenerator random) {
    List<Word> list = list(frequency);
    for (int tries = 0; tries < WORD_TRIES && !list.isEmpty(); tries++) {
      String word = list.get(random.nextInt(list.size())).text();
      if (word.length() >= minLength && isUnchanged(word)) {
        return Optional.of(word);
      }
    }
    return Optional.empty();
  }

  /** Whether analysis leaves a word as it is. */
  private static boolean isUnchanged(String word) {
    return Fields.words(word).equals(List.of(word));
  }

  /**
   * Two frequent words that stand next to each other in the stored text of some document, with a
   * space between: a pair is as likely as it is frequent. Empty if a fair number of tries found
   * none.
   */
  Optional<String> pickPair(RandomGenerator random) throws IOException {
    for (int tries = 0; tries < DOCUMENT_TRIES && reader.maxDoc() > 0; tries++) {
      String text = reader.storedFields().document(random.nextInt(reader.maxDoc())).get(field);
      List<String> pairs = text == null ? List.of() : pairs(Fields.words(text));
      if (!pairs.isEmpty()) {
        return Optional.of(pairs.get(random.nextInt(pairs.size())));
      }
    }
    return Optional.empty();
  }

  private List<String> pairs(List<String> text) {
    List<String> pairs = new ArrayList<>();
    for (int i = 1; i < text.size(); i++) {
      String first = text.get(i - 1);
      String second = text.get(i);
      if (high.contains(first) && high.contains(second) && !first.equals(second)) {
        pairs.add(first + " " + second);
      }
    }
    return pairs;
  }
}
