package io.github.lucenedirectories.internal.os;

import java.nio.file.Path;
import java.util.Optional;

/** A file that native calls can be made on: they are there, and they take its path. */
public record NativeTarget(FileCalls calls, NativePath path) {

  /** Empty where such a file can be reached through the JDK only. */
  public static Optional<NativeTarget> of(Path path) {
    return NativeCalls.get()
        .flatMap(calls -> NativePath.of(path).map(taken -> new NativeTarget(calls.files(), taken)));
  }
}
