package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.report.Numbers;
import io.github.lucenedirectories.benchmarks.results.Results;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is known before anything is timed.
 *
 * @param index its path
 * @param field the text field
 * @param given the user's queries; null if they are picked
 * @param limited whether memory is limited for the measurement
 * @param heapMegabytes that the user's application has; null if the user named none
 * @param leftOut directories that are not worth measuring here
 */
record Situation(
    Path index,
    String field,
    Inspection inspection,
    QueryHits hits,
    @Nullable GivenLines given,
    boolean limited,
    @Nullable Long heapMegabytes,
    Fit fit,
    List<Results.Skipped> leftOut) {
  private static final int FIELDS = 8;

  /** The index and the machine, a paragraph each. */
  List<String> notes() {
    return List.of(indexNote(), machineNote());
  }

  private String indexNote() {
    Contents contents = inspection.contents();
    String kinds =
        contents.bytesByKind().entrySet().stream()
            .map(kind -> kind.getKey() + " " + Numbers.bytes(kind.getValue()))
            .collect(Collectors.joining(", "));
    String fields =
        contents.fields().stream()
            .limit(FIELDS)
            .map(FieldUse::toString)
            .collect(Collectors.joining(", "));
    int more = contents.fields().size() - FIELDS;
    return String.format(
        Locale.ROOT,
        "%s: %,d documents (%,d deleted), %d segments, written by Lucene %s, %s: %s.%s Fields: %s%s;"
            + " '%s' was searched.",
        index,
        contents.documents(),
        contents.deleted(),
        contents.segments(),
        contents.lucene(),
        Numbers.bytes(contents.bytes()),
        kinds,
        contents.folder().unreferenced() > 0
            ? " Files beside the last commit: "
                + Numbers.bytes(contents.folder().unreferenced())
                + "."
            : "",
        fields,
        more > 0 ? " and " + more + " more" : "",
        field);
  }

  private String machineNote() {
    Machine machine = inspection.machine();
    Long machineBytes = machine.machineBytes();
    return String.format(
        Locale.ROOT,
        "%d processors, memory %s%s, heap %s, page cache up to %s; of the index's folder %.0f %% was in"
            + " memory before. Device: %s, reads ahead %s; vm.max_map_count %s. HybridDirectory's choice for"
            + " the largest file: %s.",
        machine.processors(),
        Numbers.bytes(machine.memoryBytes()),
        machine.hasLimit() && machineBytes != null
            ? " (limited; the machine has " + Numbers.bytes(machineBytes) + ")"
            : "",
        Numbers.bytes(machine.heapBytes()),
        Numbers.bytes(machine.pageCacheBytes()),
        100.0 * machine.residentBytes() / Math.max(1, inspection.contents().folder().all()),
        machine.device() == null ? "unknown" : machine.device(),
        machine.readAheadKiB() == null ? "an unknown amount" : machine.readAheadKiB() + " KiB",
        machine.maxMapCount() == null ? "unknown" : machine.maxMapCount(),
        machine.hybrid());
  }
}
