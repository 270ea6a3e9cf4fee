// SPDX-License-Identifier: Apache-2.0
package org.apache.solr.client.solrj.jetty;

import java.util.concurrent.CompletableFuture;
import org.apache.solr.client.solrj.SolrClient;
import org.apache.solr.client.solrj.SolrRequest;
import org.apache.solr.client.solrj.impl.LBAsyncSolrClient;
import org.apache.solr.client.solrj.impl.LBSolrClient;
import org.apache.solr.common.util.NamedList;

/** Made by every node, used by distributed searches, which need more than one node. */
@SuppressWarnings("serial") // never serialized
public final class LBJettySolrClient extends LBAsyncSolrClient {

  private LBJettySolrClient(Builder builder) {
    super(builder);
  }

  @Override
  protected CompletableFuture<NamedList<Object>> requestAsyncWithUrl(
      SolrClient client, String baseUrl, SolrRequest<?> request) {
    throw new UnsupportedOperationException(baseUrl);
  }

  /** Called by Solr. */
  public static final class Builder extends LBSolrClient.Builder<HttpJettySolrClient> {

    /** Called by Solr. */
    public Builder(HttpJettySolrClient client, LBSolrClient.Endpoint... endpoints) {
      super(client, endpoints);
    }

    @Override
    public LBJettySolrClient build() {
      return new LBJettySolrClient(this);
    }
  }
}
