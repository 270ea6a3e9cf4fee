// SPDX-License-Identifier: Apache-2.0
package org.apache.solr.common.cloud;

/** Named by Solr; no test calls it. */
public class ClusterProperties {}
