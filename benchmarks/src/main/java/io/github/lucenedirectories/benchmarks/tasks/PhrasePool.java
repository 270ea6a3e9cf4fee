package io.github.lucenedirectories.benchmarks.tasks;

import io.github.lucenedirectories.benchmarks.corpus.Fields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.index.IndexReader;
import org.jspecify.annotations.Nullable;

/**
 * Pairs of frequent words that stand next to each other in the text, drawn from stored documents,
 * so that a pair is as likely as it is frequent.
 */
final class PhrasePool {
  private static final int TRIES = 50;

  private final IndexReader reader;
  private final String field;
  private final TermPool terms;
  private final Analyzer analyzer = Fields.analyzer();

  PhrasePool(IndexReader reader, String field, TermPool terms) {
    this.reader = reader;
    this.field = field;
    this.terms = terms;
  }

  /** Two words with a space between; null if a fair number of tries found none. */
  @Nullable String pick(RandomGenerator random) throws IOException {
    for (int tries = 0; tries < TRIES && reader.maxDoc() > 0; tries++) {
      String text = reader.storedFields().document(random.nextInt(reader.maxDoc())).get(field);
      List<String> pairs = text == null ? List.of() : pairs(text);
      if (!pairs.isEmpty()) {
        return pairs.get(random.nextInt(pairs.size()));
      }
    }
    return null;
  }

  private List<String> pairs(String text) throws IOException {
    List<String> pairs = new ArrayList<>();
    try (TokenStream tokens = analyzer.tokenStream(field, text)) {
      CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
      tokens.reset();
      String before = "";
      while (tokens.incrementToken()) {
        String word = term.toString();
        if (terms.isHigh(before) && terms.isHigh(word) && !before.equals(word)) {
          pairs.add(before + " " + word);
        }
        before = word;
      }
      tokens.end();
    }
    return pairs;
  }
}
