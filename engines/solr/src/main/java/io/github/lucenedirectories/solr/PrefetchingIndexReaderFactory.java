// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.solr;

import io.github.lucenedirectories.vectors.PrefetchingDirectoryReader;
import java.io.IOException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.apache.solr.common.util.NamedList;
import org.apache.solr.core.SolrCore;
import org.apache.solr.core.StandardIndexReaderFactory;

/**
 * Opens readers whose vector searches prefetch ({@link PrefetchingDirectoryReader}): for vectors
 * larger than memory. Solr reopens the wrapped reader, so each soft commit keeps it. It has no
 * options. With Lucene before 10.5, which Solr 10.0.0 has, only stored documents are prefetched.
 */
public final class PrefetchingIndexReaderFactory extends StandardIndexReaderFactory {

  /** Called by Solr. */
  public PrefetchingIndexReaderFactory() {}

  @Override
  public void init(NamedList<?> args) {
    new Options(getClass().getSimpleName(), args).end();
  }

  @Override
  public DirectoryReader newReader(Directory directory, SolrCore core) throws IOException {
    return PrefetchingDirectoryReader.wrap(super.newReader(directory, core));
  }

  @Override
  public DirectoryReader newReader(IndexWriter writer, SolrCore core) throws IOException {
    return PrefetchingDirectoryReader.wrap(super.newReader(writer, core));
  }
}
