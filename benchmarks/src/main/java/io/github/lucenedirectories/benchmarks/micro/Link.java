package io.github.lucenedirectories.benchmarks.micro;

import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The position in a {@link InputFile.Cycle} that a thread reads next. */
@State(Scope.Thread)
public class Link {
  long position;
}
