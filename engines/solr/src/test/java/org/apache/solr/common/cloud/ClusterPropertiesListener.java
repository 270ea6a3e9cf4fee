// SPDX-License-Identifier: Apache-2.0
package org.apache.solr.common.cloud;

import java.util.Map;

/** Named by Solr; no test calls it. */
public interface ClusterPropertiesListener {

  /** Called by nobody. */
  boolean onChange(Map<String, Object> properties);
}
