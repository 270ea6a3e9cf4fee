// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.os;

import java.nio.file.Path;
import java.util.Optional;

/** A file that native calls can open: the calls are linked and accept its path. */
public record NativeTarget(FileCalls calls, NativePath path) {

  /** Empty if the file can be accessed through the JDK only. */
  public static Optional<NativeTarget> of(Path path) {
    return NativeCalls.get()
        .flatMap(calls -> NativePath.of(path).map(taken -> new NativeTarget(calls.files(), taken)));
  }
}
