package io.github.lucenedirectories.benchmarks.commit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One column of a comparison of commits: a kind of directory, and where its files are.
 *
 * @param label unique in its comparison
 * @param place what the folder has to lie on
 * @param folder for the directories' files, inside the one that the user named; nothing else is in
 *     it
 */
record CommitColumn(String label, CommitDirectory directory, Place place, String folder) {
  /** What the others are compared with. */
  static final String BASELINE = "MMapDirectory";

  /** What those on persistent memory are compared with too. */
  static final String DAX_BASELINE = "MMapDirectory DAX";

  /** What a folder lies on. */
  enum Place {
    /** Anything. */
    DISK,
    TMPFS,
    /** Persistent memory, through a file system that is mounted with {@code -o dax}. */
    DAX
  }

  /**
   * All columns that could be compared, the baseline first, and second the baseline once more, so
   * that a reader sees how far two equal columns lie apart.
   *
   * @param name of the folder that the directories get in each place
   * @param dax null for none
   */
  static List<CommitColumn> all(String name, Path disk, Path tmpfs, @Nullable Path dax) {
    String onDisk = in(disk, name);
    String onTmpfs = in(tmpfs, name);
    List<CommitColumn> columns = new ArrayList<>();
    columns.add(new CommitColumn(BASELINE, CommitDirectory.MMAP, Place.DISK, onDisk));
    columns.add(new CommitColumn(BASELINE + " (again)", CommitDirectory.MMAP, Place.DISK, onDisk));
    columns.add(
        new CommitColumn("MMapDirectory tmpfs", CommitDirectory.MMAP, Place.TMPFS, onTmpfs));
    columns.add(
        new CommitColumn(
            "PmemDirectory EMULATED tmpfs", CommitDirectory.PMEM_EMULATED, Place.TMPFS, onTmpfs));
    columns.add(
        new CommitColumn("PmemDirectory FILE", CommitDirectory.PMEM_FILE, Place.DISK, onDisk));
    columns.add(
        new CommitColumn("RamDirectory-backed", CommitDirectory.RAM_BACKED, Place.DISK, onDisk));
    if (dax != null) {
      String onDax = in(dax, name);
      columns.add(new CommitColumn(DAX_BASELINE, CommitDirectory.MMAP, Place.DAX, onDax));
      columns.add(
          new CommitColumn("PmemDirectory LLPL DAX", CommitDirectory.PMEM_LLPL, Place.DAX, onDax));
      columns.add(
          new CommitColumn("PmemDirectory JDK DAX", CommitDirectory.PMEM_JDK, Place.DAX, onDax));
    }
    return List.copyOf(columns);
  }

  private static String in(Path place, String name) {
    return place.resolve(name).toAbsolutePath().toString();
  }
}
