// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.prepare;

import io.github.lucenedirectories.benchmarks.prepare.Preparation.IndexSource;
import io.github.lucenedirectories.tools.console.UsageException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say which index a workload uses. */
public final class IndexOptions {

  @Mixin private TextOptions text = new TextOptions();

  @Option(
      names = "--index",
      paramLabel = "PATH",
      description = "search an index that exists; it is only read")
  private @Nullable Path index;

  @Option(
      names = "--field",
      paramLabel = "NAME",
      description = "the text field of --index (default: ${DEFAULT-VALUE})",
      defaultValue = "body")
  private String field = "body";

  /** Refuses at once what needs no index to be refused. */
  public void check() {
    if (index != null && text.isGiven()) {
      throw new UsageException("--index names an index that exists: leave out --docs and --copies");
    }
    text.check();
  }

  public boolean isGiven() {
    return index != null || text.isGiven();
  }

  public IndexSource source() {
    return new IndexSource(index == null ? null : index.toString(), text.spec(), true, field);
  }
}
