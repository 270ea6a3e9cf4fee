package io.github.lucenedirectories.benchmarks.corpus;

import java.io.IOException;

/** Another corpus several times over, for a larger index of the same text. */
public final class RepeatedCorpus implements Corpus {
  private final Corpus corpus;
  private final int copies;

  public RepeatedCorpus(Corpus corpus, int copies) {
    this.corpus = corpus;
    this.copies = copies;
  }

  @Override
  public void forEach(Sink sink) throws IOException {
    for (int copy = 0; copy < copies; copy++) {
      corpus.forEach(sink);
    }
  }

  @Override
  public String description() {
    return copies == 1 ? corpus.description() : corpus.description() + ", " + copies + " copies";
  }

  @Override
  public String fingerprint() throws IOException {
    return corpus.fingerprint() + " x" + copies;
  }
}
