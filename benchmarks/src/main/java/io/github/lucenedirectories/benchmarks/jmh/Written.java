package io.github.lucenedirectories.benchmarks.jmh;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The files that an invocation wrote, which are deleted outside the measured time. */
@State(Scope.Thread)
public class Written {
  private final List<String> names = new ArrayList<>();

  void add(String name) {
    names.add(name);
  }

  /** Deletes them. */
  @TearDown(Level.Invocation)
  public void delete(NewFiles files) throws IOException {
    for (String name : names) {
      files.directory().deleteFile(name);
    }
    names.clear();
  }
}
