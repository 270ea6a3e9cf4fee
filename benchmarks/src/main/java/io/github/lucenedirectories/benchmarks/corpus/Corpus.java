package io.github.lucenedirectories.benchmarks.corpus;

import java.io.IOException;

/** A fixed sequence of documents, the same each time it is read. */
public interface Corpus {

  /** Receives the documents of a corpus in order. */
  interface Sink {
    void accept(LineDocument document) throws IOException;
  }

  /** Reads the whole corpus from its beginning. */
  void forEach(Sink sink) throws IOException;

  /** What it is, for a person: a name, files, how often it is repeated. */
  String description();

  /** A string that differs when the documents differ, and is found without reading them all. */
  String fingerprint() throws IOException;
}
