package io.github.lucenedirectories.benchmarks.commit;

import java.util.List;

/** Which columns shall be tried. */
record ProbeSpec(List<CommitColumn> columns) {}
