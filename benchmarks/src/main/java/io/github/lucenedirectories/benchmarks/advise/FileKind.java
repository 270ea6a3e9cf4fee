package io.github.lucenedirectories.benchmarks.advise;

import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.IndexFileNames;

/** What a file of an index holds, told by its extension. */
enum FileKind {
  STORED("stored fields", "fdt", "fdx", "fdm"),
  TERM_VECTORS("term vectors", "tvd", "tvx", "tvm"),
  TERMS("terms", "tim", "tip", "tmd"),
  POSTINGS("postings", "doc", "pos", "pay", "psm"),
  DOC_VALUES("doc values", "dvd", "dvm", "dvs"),
  POINTS("points", "kdd", "kdi", "kdm"),
  VECTORS("vectors", "vec", "vex", "vem", "vemf", "veq", "vemq", "veb", "vemb"),
  NORMS("norms", "nvd", "nvm"),
  OTHER("other");

  private final String label;
  private final List<String> extensions;

  FileKind(String label, String... extensions) {
    this.label = label;
    this.extensions = List.of(extensions);
  }

  /** The kind of a file of a segment, compound files excepted. */
  static FileKind of(String name) {
    String extension = IndexFileNames.getExtension(name);
    return Arrays.stream(values())
        .filter(kind -> extension != null && kind.extensions.contains(extension))
        .findFirst()
        .orElse(OTHER);
  }

  String label() {
    return label;
  }
}
