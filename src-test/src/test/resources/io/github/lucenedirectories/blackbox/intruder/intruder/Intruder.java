// SPDX-License-Identifier: Apache-2.0
package intruder;

import io.github.lucenedirectories.internal.os.PathCounter;

class Intruder {
  PathCounter counter;
}
