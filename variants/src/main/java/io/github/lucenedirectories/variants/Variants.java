package io.github.lucenedirectories.variants;

import static io.github.lucenedirectories.variants.Variant.Use.COMMIT;
import static io.github.lucenedirectories.variants.Variant.Use.SEARCH;
import static io.github.lucenedirectories.variants.Variant.Use.TEST;
import static io.github.lucenedirectories.variants.Variant.Use.WRITE;

import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import io.github.lucenedirectories.variants.Variant.Opener;
import io.github.lucenedirectories.variants.Variant.Reader;
import io.github.lucenedirectories.variants.Variant.Storage;
import io.github.lucenedirectories.variants.Variant.Use;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.util.IOUtils;

/** The list of all variants. A new directory, or a new choice of options, is one entry here. */
public final class Variants {

  /** What the other variants are compared with. */
  public static final String BASELINE = "MMapDirectory";

  /* In the order of reports. */
  private static final List<Variant> ALL =
      List.of(
          onFiles(BASELINE, EnumSet.of(SEARCH, WRITE, COMMIT), MMapDirectory::new),
          onFiles("NIOFSDirectory", EnumSet.of(SEARCH, WRITE), NIOFSDirectory::new),
          inMemory("ByteBuffersDirectory", Storage.HEAP, ByteBuffersDirectory::new),
          onFiles("MappedDirectory", EnumSet.of(SEARCH, WRITE, TEST), MappedDirectory::new),
          onFiles("HybridDirectory", EnumSet.of(SEARCH, WRITE, TEST), HybridDirectory::new),
          onFiles("NioDirectory", EnumSet.of(SEARCH, WRITE, TEST), NioDirectory::new),
          new Variant(
              "RamDirectory",
              Storage.MEMORY,
              EnumSet.of(SEARCH, WRITE, TEST),
              EnumSet.of(SEARCH, WRITE, TEST),
              (folder, sizes) ->
                  sizes.chunkBytes() == 0
                      ? new RamDirectory()
                      : RamDirectory.builder().chunkBytes(sizes.chunkBytes()).build(),
              Variants::loadRam));

  private Variants() {}

  /** Makes an empty directory in memory. */
  private interface Maker {
    Directory make() throws IOException;
  }

  private static Variant onFiles(String name, Set<Use> uses, FileOpener opener) {
    return new Variant(
        name,
        Storage.FILES,
        uses,
        uses,
        (folder, _) -> opener.open(folder),
        (index, _) -> opener.open(index));
  }

  private interface FileOpener {
    Directory open(Path folder) throws IOException;
  }

  private static Variant inMemory(String name, Storage storage, Maker maker) {
    Set<Use> uses = EnumSet.of(SEARCH, WRITE);
    Opener opener = (_, _) -> maker.make();
    Reader reader = (index, _) -> copied(index, maker.make());
    return new Variant(name, storage, uses, uses, opener, reader);
  }

  private static Directory loadRam(Path index, Path scratch) throws IOException {
    try (Directory files = new MappedDirectory(index)) {
      return RamDirectory.load(files);
    }
  }

  /** Copies the files of the last commit, which the directory holds from then on. */
  private static Directory copied(Path index, Directory target) throws IOException {
    try (Directory files = new MMapDirectory(index)) {
      for (String name : SegmentInfos.readLatestCommit(files).files(true)) {
        target.copyFrom(files, name, name, IOContext.DEFAULT);
      }
      return target;
    } catch (IOException | RuntimeException e) {
      IOUtils.closeWhileHandlingException(target);
      throw e;
    }
  }

  /** All variants that can be used for something. */
  public static List<Variant> all(Use use) {
    return ALL.stream().filter(variant -> variant.uses().contains(use)).toList();
  }

  /** The variants that are used unless the user names others. */
  public static List<Variant> defaults(Use use) {
    return ALL.stream().filter(variant -> variant.defaults().contains(use)).toList();
  }

  /**
   * The variant of a name. Case does not matter.
   *
   * @throws IllegalArgumentException if there is none for this use; the message names all there are
   */
  public static Variant named(String name, Use use) {
    return all(use).stream()
        .filter(variant -> variant.name().equalsIgnoreCase(name.strip()))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown directory '"
                        + name
                        + "': choose from "
                        + all(use).stream().map(Variant::name).collect(Collectors.joining(", "))));
  }
}
