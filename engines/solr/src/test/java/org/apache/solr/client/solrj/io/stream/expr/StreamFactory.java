// SPDX-License-Identifier: Apache-2.0
package org.apache.solr.client.solrj.io.stream.expr;

/** Named by Solr; no test calls it. */
public class StreamFactory {}
