// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.vectors;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.codecs.hnsw.FlatVectorScorerUtil;
import org.apache.lucene.codecs.lucene99.Lucene99FlatVectorsReader;
import org.apache.lucene.codecs.perfield.PerFieldKnnVectorsFormat;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FilterCodecReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * The raw vectors of a quantized field, opened a second time: the values that Lucene returns hide
 * where the vectors lie. Closed with the core of the segment.
 */
final class RawVectors {

  private RawVectors() {}

  /** Returns null if the files are gone, or the segment's reader is not Lucene's. */
  static @Nullable Lucene99FlatVectorsReader open(LeafReader leaf, FieldInfo info) {
    IndexReader.CacheHelper core = leaf.getCoreCacheHelper();
    if (!(leaf instanceof CodecReader codec)
        || !(FilterCodecReader.unwrap(codec) instanceof SegmentReader segment)
        || core == null) {
      return null;
    }
    List<Closeable> opened = new ArrayList<>();
    try {
      SegmentInfo segmentInfo = segment.getSegmentInfo().info;
      Directory directory = segmentInfo.dir;
      if (segmentInfo.getUseCompoundFile()) {
        directory =
            segmentInfo.getCodec().compoundFormat().getCompoundReader(directory, segmentInfo);
        opened.addFirst(directory);
      }
      Lucene99FlatVectorsReader reader =
          new Lucene99FlatVectorsReader(
              new SegmentReadState(
                  directory,
                  segmentInfo,
                  segment.getFieldInfos(),
                  IOContext.DEFAULT,
                  info.getAttribute(PerFieldKnnVectorsFormat.PER_FIELD_FORMAT_KEY)
                      + "_"
                      + info.getAttribute(PerFieldKnnVectorsFormat.PER_FIELD_SUFFIX_KEY)),
              FlatVectorScorerUtil.getLucene99FlatVectorsScorer());
      opened.addFirst(reader);
      core.addClosedListener(_ -> IOUtils.close(opened));
      return reader;
    } catch (IOException | AlreadyClosedException _) {
      // The vectors are then read one after another, as without prefetching.
      IOUtils.closeWhileHandlingException(opened);
      return null;
    } catch (Throwable t) {
      IOUtils.closeWhileHandlingException(opened);
      throw t;
    }
  }
}
