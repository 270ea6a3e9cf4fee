// SPDX-License-Identifier: Apache-2.0
package org.apache.solr.client.solrj.jetty;

import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Result;

/** Named by Solr; this stand-in never calls one. */
public interface HttpListenerFactory {

  /** Returns a listener. */
  RequestResponseListener get();

  /** What a listener may hear. */
  abstract class RequestResponseListener {

    /** Made by Solr. */
    public RequestResponseListener() {}

    /** A request was queued. */
    public void onQueued(Request request) {}

    /** A request begins. */
    public void onBegin(Request request) {}

    /** A request has ended. */
    public void onComplete(Result result) {}
  }
}
