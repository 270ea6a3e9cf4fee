// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.fuzz;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.util.IOUtils;

/** A sample of {@code ./run fuzz}: random inputs for each target. */
@LuceneTestCase.SuppressFileSystems("*") // the paths are in the files
public class FuzzTest extends LibraryTestCase {

  public void testSample() throws Exception {
    Path folder = createDirInMemory();
    try {
      for (String name : FuzzTarget.FORMATS.keySet()) {
        FuzzTarget target = new FuzzTarget(name, folder.resolve(name), folder.resolve("work"));
        for (int i = name.equals("index") ? 25 : 200; i > 0; i--) {
          // A choice, and a change of few bytes, or several.
          byte[] input = randomBytes(random().nextInt(1, 20));
          if (input.length > 4) {
            input[4] = (byte) random().nextInt(-16, 16);
            if (random().nextBoolean()) {
              Arrays.fill(input, 5, input.length, (byte) (-1 >>> random().nextInt(32)));
            }
          }
          if (random().nextInt(4) == 0) {
            input = FuzzTarget.cut(random().nextInt(1 << 7));
          }
          try {
            target.run(input);
          } catch (Exception | Error e) {
            String text = Base64.getEncoder().encodeToString(input);
            throw new AssertionError("target=" + name + ", input=" + text, e);
          }
        }
      }
    } finally {
      IOUtils.rm(folder);
    }
  }
}
