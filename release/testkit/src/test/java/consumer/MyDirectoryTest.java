// SPDX-License-Identifier: Apache-2.0
package consumer;

import io.github.lucenedirectories.testkit.DirectoryTestKit;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/** Tests a directory as any project can, with the kit alone. */
public class MyDirectoryTest extends DirectoryTestKit {

  @Override
  public Directory open(Path path) throws IOException {
    return new MMapDirectory(path);
  }
}
