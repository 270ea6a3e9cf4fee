// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch;

import com.carrotsearch.randomizedtesting.annotations.Name;
import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.lucene.store.Directory;
import org.junit.After;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.store.OpenSearchBaseDirectoryTestCase;

/** The store tests of OpenSearch and Lucene with each type. */
public class StoreTypeTest extends OpenSearchBaseDirectoryTestCase {

  private final StoreType type;
  private final DirectoriesPlugin plugin = new DirectoriesPlugin(Settings.EMPTY);

  /** Called for each type. */
  public StoreTypeTest(@Name("type") StoreType type) {
    this.type = type;
  }

  /** All types. */
  @ParametersFactory
  public static Iterable<Object[]> types() {
    return Arrays.stream(StoreType.values()).map(type -> new Object[] {type}).toList();
  }

  @Override
  protected Directory getDirectory(Path path) throws IOException {
    return TestShards.open(plugin, type, path, 0);
  }

  /** Lucene expects no answer from any directory but its own; the library's tests check ours. */
  @Override
  public void testIsLoaded() {
    assumeTrue("the answer of MMapDirectory is asked for", false);
  }

  /** As {@link #testIsLoaded}. */
  @Override
  public void testIsLoadedOnSlice() {
    assumeTrue("the answer of MMapDirectory is asked for", false);
  }

  /** Ends what all shards share. */
  @After
  public void closePlugin() {
    plugin.close();
  }
}
