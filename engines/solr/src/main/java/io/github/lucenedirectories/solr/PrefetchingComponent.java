// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.solr;

import io.github.lucenedirectories.vectors.PrefetchingDirectoryReader;
import java.util.stream.IntStream;
import org.apache.solr.handler.component.ResponseBuilder;
import org.apache.solr.handler.component.SearchComponent;
import org.apache.solr.search.DocIterator;
import org.apache.solr.search.DocList;

/**
 * Prefetches the stored documents of a page of hits together, before Solr reads them one by one to
 * write its response. Needs {@link PrefetchingIndexReaderFactory}; without it, does nothing. Add it
 * to the {@code last-components} of a handler. It has no options.
 */
public final class PrefetchingComponent extends SearchComponent {

  /** Called by Solr. */
  public PrefetchingComponent() {}

  @Override
  public void prepare(ResponseBuilder response) {}

  @Override
  public void process(ResponseBuilder response) {
    DocList page = response.getResults() == null ? null : response.getResults().docList;
    if (page != null) {
      DocIterator hits = page.iterator();
      int[] docs = IntStream.generate(hits::nextDoc).limit(page.size()).toArray();
      PrefetchingDirectoryReader.prefetchDocuments(response.req.getSearcher().getRawReader(), docs);
    }
  }

  @Override
  public String getDescription() {
    return "prefetches the documents of a page of hits";
  }
}
