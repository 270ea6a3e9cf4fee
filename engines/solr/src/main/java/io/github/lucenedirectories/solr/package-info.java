// SPDX-License-Identifier: Apache-2.0
/**
 * Solr's directory factories over this library's directories, for {@code solrconfig.xml}.
 *
 * <p>The page {@code docs/guide/solr.md} says which one to take.
 */
@NullMarked
package io.github.lucenedirectories.solr;

import org.jspecify.annotations.NullMarked;
