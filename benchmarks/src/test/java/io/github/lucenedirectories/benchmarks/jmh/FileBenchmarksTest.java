package io.github.lucenedirectories.benchmarks.jmh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The benchmarks that open, write and delete files leave each directory as they say. */
class FileBenchmarksTest {
  static List<String> directories() {
    return MicroWorkload.DIRECTORIES;
  }

  @ParameterizedTest
  @MethodSource("directories")
  void openingReadsTheFirstByteBesideBusyReaders(String directory) throws IOException {
    OpenFiles files = new OpenFiles();
    files.directory = directory;
    files.readers = 2;
    files.setUp();
    try {
      String[] before = files.directory().listAll();
      OpenAndClose benchmark = new OpenAndClose();
      for (int i = 0; i < 40; i++) {
        assertEquals(files.block.bytes()[0], benchmark.open(files));
        assertEquals(files.block.bytes()[0], benchmark.openOnce(files));
        assertEquals(files.block.bytes()[4095], benchmark.createOpenDelete(files));
      }
      assertArrayEquals(before, files.directory().listAll());
    } finally {
      files.tearDown();
    }
  }

  @ParameterizedTest
  @MethodSource("directories")
  void writtenFilesAreWholeAndGoWithTheInvocation(String directory) throws IOException {
    NewFiles files = new NewFiles();
    files.directory = directory;
    files.setUp();
    try {
      Writes benchmark = new Writes();
      Written written = new Written();
      Writes.Small small = new Writes.Small();
      small.size = 100;
      benchmark.small(files, written, small);
      assertWhole(files, 64, 100);
      written.delete(files);
      assertEquals(0, files.directory().listAll().length);

      benchmark.large(files, written);
      assertWhole(files, 1, 64 << 20);
      written.delete(files);

      String name = files.writeVInts(IOContext.DEFAULT, 1 << 20);
      try (IndexInput in = files.directory().openInput(name, IOContext.DEFAULT)) {
        CodecUtil.checksumEntireFile(in);
      }
    } finally {
      files.tearDown();
    }
  }

  @ParameterizedTest
  @MethodSource("directories")
  void syncedFilesAreWholeAndGoWithTheInvocation(String directory) throws IOException {
    NewFiles files = new NewFiles();
    files.directory = directory;
    files.setUp();
    try {
      Syncs.Unsynced unsynced = new Syncs.Unsynced();
      unsynced.count = 3;
      unsynced.write(files);
      new Syncs().sync(files, unsynced);
      assertEquals(3, files.directory().listAll().length);
      unsynced.delete(files);
      assertEquals(0, files.directory().listAll().length);
    } finally {
      files.tearDown();
    }
  }

  private static void assertWhole(NewFiles files, int count, long bytes) throws IOException {
    String[] names = files.directory().listAll();
    assertEquals(count, names.length);
    for (String name : names) {
      assertEquals(bytes, files.directory().fileLength(name), name);
      try (IndexInput in = files.directory().openInput(name, IOContext.DEFAULT)) {
        CodecUtil.checksumEntireFile(in);
      }
    }
  }
}
