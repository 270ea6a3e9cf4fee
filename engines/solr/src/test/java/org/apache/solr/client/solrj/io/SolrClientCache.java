// SPDX-License-Identifier: Apache-2.0
package org.apache.solr.client.solrj.io;

import java.io.Closeable;
import org.apache.solr.client.solrj.impl.HttpSolrClientBase;

/** Made by every node, used by streaming expressions alone. */
public final class SolrClientCache implements Closeable {

  /** Called by Solr. */
  public SolrClientCache(HttpSolrClientBase client) {}

  /** Called by Solr. */
  public void setDefaultZKHost(String address) {}

  @Override
  public void close() {}
}
