package io.github.lucenedirectories.testkit.index;

import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.simpletext.SimpleTextCodec;

/** The formats that whole indexes are written in. */
public enum IndexFormat {
  /** What a user of Lucene gets. */
  DEFAULT,
  /** The default codec with the postings format {@code Direct}. */
  DIRECT("Direct"),
  /** The default codec with the postings format {@code FST50}. */
  FST("FST50"),
  /** The default codec with the postings format {@code BlockTreeOrds}. */
  BLOCK_TREE_ORDS("BlockTreeOrds"),
  /** Everything as text. */
  SIMPLE_TEXT {
    @Override
    Codec codec() {
      return new SimpleTextCodec();
    }
  };

  private final String postings;

  IndexFormat() {
    this("");
  }

  IndexFormat(String postings) {
    this.postings = postings;
  }

  /** A new codec of this format. */
  Codec codec() {
    if (postings.isEmpty()) {
      return new Lucene104Codec();
    }
    PostingsFormat format = PostingsFormat.forName(postings);
    return new Lucene104Codec() {
      @Override
      public PostingsFormat getPostingsFormatForField(String field) {
        return format;
      }
    };
  }
}
