// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.harness;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.lucenedirectories.tools.console.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.util.IOUtils;

/** The parent JVM of a run; {@code scratch} is for one fork's files, and removed after each. */
public record Host(Workspace workspace, Path out, Path scratch, Progress progress) {

  /** What a fork of a workload does. */
  private record Measurement(
      String workload, JsonNode state, Column column, long seed, String scratch)
      implements Fork.Job<Record> {

    @Override
    public Record run(Fork fork) throws IOException {
      fork.begin(seed, Path.of(scratch));
      try {
        Workload<?> copy =
            Class.forName(workload)
                .asSubclass(Workload.class)
                .getDeclaredConstructor()
                .newInstance();
        Fork.MAPPER.readerForUpdating(copy).readValue(state);
        return copy.run(column, fork);
      } catch (ReflectiveOperationException e) {
        throw new IOException(e);
      }
    }
  }

  /** Removes what forks wrote. */
  public void removeScratch() throws IOException {
    IOUtils.rm(scratch);
    IOUtils.rm(workspace.memory());
  }

  /** Starts a fork that does {@link Workload#run}; the launcher is that of {@link ChildJvm}. */
  public ChildJvm start(
      Workload<?> workload, JvmFlags flags, Column column, long seed, List<String> launcher)
      throws IOException {
    Measurement job =
        new Measurement(
            workload.getClass().getName(),
            Fork.MAPPER.valueToTree(workload),
            column,
            seed,
            scratch.toString());
    return ChildJvm.start(workspace, flags, column.label(), job, launcher);
  }
}
