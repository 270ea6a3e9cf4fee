// SPDX-License-Identifier: Apache-2.0
/** An OpenSearch plugin that offers the directories as store types of indexes. */
@NullMarked
package io.github.lucenedirectories.opensearch;

import org.jspecify.annotations.NullMarked;
