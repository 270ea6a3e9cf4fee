package io.github.lucenedirectories.benchmarks.tasks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;

/** A sample of a key field's terms, each as likely as any other. */
final class KeyPool {
  /** How many keys one lookup task asks for. */
  static final int BATCH = 20;

  private static final int SAMPLE = 10_000;

  private final List<String> keys = new ArrayList<>();

  KeyPool(IndexReader reader, String field, RandomGenerator random) throws IOException {
    long seen = 0;
    for (LeafReaderContext leaf : reader.leaves()) {
      Terms terms = leaf.reader().terms(field);
      if (terms == null) {
        continue;
      }
      TermsEnum each = terms.iterator();
      for (BytesRef term = each.next(); term != null; term = each.next()) {
        seen++;
        if (keys.size() < SAMPLE) {
          keys.add(term.utf8ToString());
          continue;
        }
        // Reservoir sampling: the n-th term takes a place with probability SAMPLE / n.
        long place = random.nextLong(seen);
        if (place < SAMPLE) {
          keys.set((int) place, term.utf8ToString());
        }
      }
    }
  }

  boolean isEmpty() {
    return keys.isEmpty();
  }

  /** The keys of one lookup. */
  List<String> pick(RandomGenerator random) {
    return random.ints(BATCH, 0, keys.size()).mapToObj(keys::get).toList();
  }
}
