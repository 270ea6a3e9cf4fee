// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import java.lang.reflect.Field;
import org.apache.lucene.util.VectorUtil;

/**
 * Asks Lucene whether it decodes with SIMD instructions in the mode that wants it, and only there.
 */
public class VectorizationTest extends LibraryTestCase {

  public void testProviderFollowsMode() throws ReflectiveOperationException {
    Field support = VectorUtil.class.getDeclaredField("IMPL");
    support.setAccessible(true);
    String provider = support.get(null).getClass().getSimpleName();
    boolean vector = TestMode.current() == TestMode.VECTOR;
    assertEquals(vector ? "PanamaVectorUtilSupport" : "DefaultVectorUtilSupport", provider);
    assertEquals(vector, ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent());
  }
}
