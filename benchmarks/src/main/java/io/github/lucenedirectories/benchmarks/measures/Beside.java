package io.github.lucenedirectories.benchmarks.measures;

import io.github.lucenedirectories.benchmarks.measures.Measure.Better;
import io.github.lucenedirectories.benchmarks.measures.MeasureGroup.Place;
import io.github.lucenedirectories.benchmarks.watch.Footprint;
import io.github.lucenedirectories.benchmarks.watch.Pauses;
import io.github.lucenedirectories.benchmarks.watch.ProcessCounters;
import io.github.lucenedirectories.benchmarks.watch.Span;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What went on in a process beside a workload, as figures that are told and not compared. */
public final class Beside {
  /** What the figures are. */
  public static final String MEANING =
      "pauses: for the collector; safepoints: all stops of all threads, those among them;"
          + " handshakes: meetings of the JVM with every thread, as for closing a shared arena."
          + " Times are the sum by second and the longest. faults: page faults that found their"
          + " page in memory, and those that waited for a device; read: bytes from devices; written:"
          + " bytes of pages that were made to be written, though a file may be gone before.";

  private static final double MILLIS = 1e6;
  private static final double MEBIBYTE = 1 << 20;

  /** All memory of a process, mapped files included. */
  public static final Measure RESIDENT = told("resident memory", "resident", "MiB");

  /** Memory of a process that no file is behind. */
  public static final Measure ANONYMOUS = told("anonymous memory", "anonymous", "MiB");

  /** Ranges of addresses that a process has mapped. */
  public static final Measure MAPPINGS = told("mappings", "mappings", "");

  /** What a process took at the end of a span. */
  public static final List<Measure> MEMORY = List.of(RESIDENT, ANONYMOUS, MAPPINGS);

  /* For the names of what is taken of a span. */
  private static final Span EMPTY =
      new Span(
          1,
          Pauses.NONE,
          Pauses.NONE,
          Pauses.NONE,
          new ProcessCounters(0L, 0L, 0L, 0L),
          new Footprint(0L, 0L, 0L));

  /** All of it, of a workload of which one span is told. */
  public static final MeasureGroup GROUP =
      new MeasureGroup(
          "Beside the measurement",
          "What went on in a fork while it was measured. "
              + MEANING
              + " resident: all memory of the process, mapped files included; anonymous: what no"
              + " file is behind; mappings: lines of /proc/self/maps. These three in the end.",
          Place.PAGE,
          List.copyOf(all(EMPTY).keySet()));

  private final String where;

  /**
   * @param where of several spans, which one it is, at the end of names; empty where one is told
   */
  public Beside(String where) {
    this.where = where;
  }

  /** All figures of the one span that a workload has. */
  public static Map<Measure, Figure> all(Span span) {
    Map<Measure, Figure> figures = new Beside("").figures(span);
    figures.putAll(memory(span.footprint()));
    return figures;
  }

  /** What a process took. */
  public static Map<Measure, Figure> memory(Footprint footprint) {
    Map<Measure, Figure> figures = new LinkedHashMap<>();
    put(figures, RESIDENT, footprint.residentBytes(), MEBIBYTE);
    put(figures, ANONYMOUS, footprint.anonymousBytes(), MEBIBYTE);
    put(figures, MAPPINGS, footprint.mappings(), 1);
    return figures;
  }

  /** The figures that {@link #figures} takes where the system tells all. */
  public List<Measure> measures() {
    return List.copyOf(figures(EMPTY).keySet());
  }

  /** Pauses, faults and device bytes of a span; what the system does not tell is absent. */
  public Map<Measure, Figure> figures(Span span) {
    Map<Measure, Figure> figures = new LinkedHashMap<>();
    pauses(figures, "pauses", span.collections(), span.seconds());
    pauses(figures, "safepoints", span.safepoints(), span.seconds());
    pauses(figures, "handshakes", span.handshakes(), span.seconds());
    figures.put(named("handshakes", "/s"), Figure.of(span.handshakes().count() / span.seconds()));
    ProcessCounters counters = span.counters();
    put(figures, named("minor faults", "/s"), counters.minorFaults(), span.seconds());
    put(figures, named("major faults", "/s"), counters.majorFaults(), span.seconds());
    put(figures, named("read", "MiB/s"), counters.readBytes(), span.seconds() * MEBIBYTE);
    put(figures, named("written", "MiB/s"), counters.writtenBytes(), span.seconds() * MEBIBYTE);
    return figures;
  }

  private void pauses(Map<Measure, Figure> figures, String name, Pauses pauses, double seconds) {
    figures.put(named(name + ", all", "ms/s"), Figure.of(pauses.totalNanos() / MILLIS / seconds));
    figures.put(named(name + ", longest", "ms"), Figure.of(pauses.longestNanos() / MILLIS));
  }

  private Measure named(String name, String unit) {
    return told(name + where, name, unit);
  }

  private static Measure told(String task, String heading, String unit) {
    return new Measure(task, heading, unit, Better.NEITHER);
  }

  private static void put(
      Map<Measure, Figure> figures, Measure measure, @Nullable Long value, double by) {
    if (value != null) {
      figures.put(measure, Figure.of(value / by));
    }
  }
}
