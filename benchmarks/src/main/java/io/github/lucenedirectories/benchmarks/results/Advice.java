// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a run recommends, what weakens that, and the artifact as Maven names it. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Advice(
    String directory,
    List<String> why,
    String code,
    @Nullable String artifact,
    List<String> jvmFlags,
    List<String> cautions,
    List<Unknown> unknown) {
  public Advice {
    why = List.copyOf(why);
    jvmFlags = List.copyOf(jvmFlags);
    cautions = List.copyOf(cautions);
    unknown = List.copyOf(unknown);
  }

  /** Something that was not measured, with the command that would, if there is one. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Unknown(String what, @Nullable String command) {}
}
