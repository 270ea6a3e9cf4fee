// SPDX-License-Identifier: Apache-2.0
package org.apache.solr.client.solrj.jetty;

import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.solr.client.solrj.SolrClient;
import org.apache.solr.client.solrj.SolrRequest;
import org.apache.solr.client.solrj.SolrServerException;
import org.apache.solr.client.solrj.impl.HttpSolrClientBase;
import org.apache.solr.client.solrj.impl.HttpSolrClientBuilderBase;
import org.apache.solr.client.solrj.impl.LBSolrClient;
import org.apache.solr.common.util.NamedList;

/**
 * Stands in for the client of the artifact {@code solr-solrj-jetty}, which solr-core 10.0.0 names
 * and which is not published: hands requests to nodes of this process. Everything above it, such as
 * the replication of an index, is Solr's own.
 */
@SuppressWarnings("serial") // never serialized
public final class HttpJettySolrClient extends HttpSolrClientBase {

  /** The nodes of this process by their addresses. */
  public static final Map<String, SolrClient> NODES = new ConcurrentHashMap<>();

  private HttpJettySolrClient(Builder builder) {
    super(builder.address(), builder);
  }

  @Override
  public NamedList<Object> requestWithBaseUrl(
      String baseUrl, SolrRequest<?> request, String collection)
      throws SolrServerException, IOException {
    SolrClient node = NODES.get(baseUrl);
    if (node == null) {
      throw new IOException("no node in this process: " + baseUrl);
    }
    return node.request(request, collection);
  }

  @Override
  public NamedList<Object> request(SolrRequest<?> request, String collection)
      throws SolrServerException, IOException {
    return requestWithBaseUrl(getBaseURL(), request, collection);
  }

  /** Called by Solr. */
  public void addListenerFactory(HttpListenerFactory factory) {}

  @Override
  public CompletableFuture<NamedList<Object>> requestAsync(
      SolrRequest<?> request, String collection) {
    throw new UnsupportedOperationException(getBaseURL());
  }

  @Override
  public HttpSolrClientBuilderBase<?, ?> builder() {
    return new Builder();
  }

  @Override
  protected LBSolrClient createLBSolrClient() {
    throw new UnsupportedOperationException(getBaseURL());
  }

  @Override
  protected boolean isFollowRedirects() {
    return false;
  }

  @Override
  protected boolean processorAcceptsMimeType(Collection<String> types, String mimeType) {
    return true;
  }

  @Override
  protected String allProcessorSupportedContentTypesCommaDelimited(Collection<String> types) {
    return "";
  }

  @Override
  protected void updateDefaultMimeTypeForParser() {}

  @Override
  public void close() {}

  /** Called by Solr. */
  public static final class Builder
      extends HttpSolrClientBuilderBase<Builder, HttpJettySolrClient> {

    /** Called by Solr. */
    public Builder() {}

    /** Called by Solr. */
    public Builder(String baseUrl) {
      withBaseSolrUrl(baseUrl);
    }

    private String address() {
      return baseSolrUrl;
    }

    /** Called by Solr. */
    public Builder addListenerFactory(HttpListenerFactory factory) {
      return this;
    }

    @Override
    public Builder withHttpClient(HttpJettySolrClient client) {
      return this;
    }

    /** Called by Solr. */
    public Builder withKeyStoreReloadInterval(long interval, TimeUnit unit) {
      return this;
    }

    @Override
    public HttpJettySolrClient build() {
      return new HttpJettySolrClient(this);
    }
  }
}
