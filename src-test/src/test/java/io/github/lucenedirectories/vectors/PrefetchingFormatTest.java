// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.vectors;

import com.carrotsearch.randomizedtesting.annotations.Name;
import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.LibraryRule;
import io.github.lucenedirectories.testkit.RepeatCommand;
import java.util.stream.Stream;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.tests.index.BaseKnnVectorsFormatTestCase;
import org.apache.lucene.tests.util.TestUtil;
import org.junit.Rule;

/** Lucene's own tests of vector formats, with every search prefetching. */
public class PrefetchingFormatTest extends BaseKnnVectorsFormatTestCase {

  @Rule public final RepeatCommand repeatCommand = new RepeatCommand(LibraryRule::command);

  private final String format;

  public PrefetchingFormatTest(@Name("format") String format) {
    this.format = format;
  }

  /** The formats. */
  @ParametersFactory
  public static Iterable<Object[]> formats() {
    return Stream.of("Full", "Bits4", "Bits1")
        .map(name -> new Object[] {"Prefetching" + name})
        .toList();
  }

  @Override
  protected Codec getCodec() {
    return TestUtil.alwaysKnnVectorsFormat(KnnVectorsFormat.forName(format));
  }

  @Override
  protected boolean supportsFloatVectorFallback() {
    return false;
  }
}
