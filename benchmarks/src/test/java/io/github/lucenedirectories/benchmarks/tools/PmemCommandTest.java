// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.tools;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.EndedCommand;
import io.github.lucenedirectories.benchmarks.SampleText;
import io.github.lucenedirectories.pmem.PmemDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tools as a user types them. */
class PmemCommandTest {
  private static final int DOCUMENTS = 300;
  private static final String POOL = "pool-00000.pmem";
  private static final List<String> TOOLS = List.of("info", "check", "list");

  @TempDir private Path folder;
  private Path index;
  private Path pools;

  private static EndedCommand run(Object... words) {
    return EndedCommand.typed(Stream.concat(Stream.of("pmem"), Stream.of(words)).toArray());
  }

  @BeforeEach
  void makeIndex() throws IOException {
    index = folder.resolve("index");
    pools = folder.resolve("pools");
    SampleText.index(SampleText.lineFile(folder.resolve("a.tsv"), DOCUMENTS), index);
    Files.deleteIfExists(index.resolve("write.lock"));
  }

  @Test
  void indexGoesInAndComesOutTheSame() throws IOException {
    Map<String, byte[]> before = SampleText.files(index);
    Files.writeString(index.resolve("notes.txt"), "no part of the index");
    EndedCommand in = run("import", index, pools);
    in.assertDone();
    String counts = before.size() + " files, " + before.size() + " checksums verified: ";
    assertTrue(in.out().startsWith("Imported " + counts), in.out());
    assertTrue(in.out().contains("mode=FILE pools=1 "), in.out());

    EndedCommand info = run("info", pools);
    info.assertDone();
    assertTrue(info.out().contains("files         " + before.size() + ", "), info.out());
    assertTrue(info.out().contains(", " + DOCUMENTS + " documents "), info.out());
    EndedCommand list = run("list", pools);
    list.assertDone();
    assertEquals(before.size(), list.out().lines().count());
    for (Map.Entry<String, byte[]> file : before.entrySet()) {
      String line = file.getKey() + " +" + file.getValue().length;
      assertTrue(list.out().lines().anyMatch(l -> l.matches(line)), line + ": " + list.out());
    }
    EndedCommand check = run("check", pools);
    check.assertDone();
    assertTrue(check.out().contains(before.size() + " checksums are right, 0 have none"));
    assertTrue(check.out().contains(" is clean, "), check.out());

    Path exported = folder.resolve("new/exported");
    EndedCommand out = run("export", pools, exported);
    out.assertDone();
    assertEquals("Exported " + counts + exported, out.out().strip());
    Map<String, byte[]> after = SampleText.files(exported);
    assertEquals(before.keySet(), after.keySet());
    before.forEach((name, bytes) -> assertArrayEquals(bytes, after.get(name), name));
  }

  @Test
  void inputIsRefusedInOneLine() throws IOException {
    Path none = folder.resolve("none");
    Path file = folder.resolve("a.tsv");
    Path empty = Files.createDirectory(folder.resolve("empty"));
    for (String tool : TOOLS) {
      run(tool, none).assertRefused("no such folder: " + none);
      run(tool, file).assertRefused("not a folder: " + file);
      run(tool, empty).assertRefused("no pools: " + empty + " has no file " + POOL);
      run(tool, index).assertRefused("no pools: " + index + " has no file " + POOL);
    }
    run("export", none, empty).assertRefused("no such folder: " + none);
    run("export", empty, none).assertRefused("no pools: " + empty + " has no file " + POOL);
    assertFalse(Files.exists(none));
    assertEquals(Map.of(), SampleText.files(empty));
    run("import", none, pools).assertRefused("no such folder: " + none);
    run("import", empty, pools).assertRefused("not an index: " + empty + " has no segments file");
    run("import", index, index).assertRefused("not one folder for both: " + index);
    run("import", index, file).assertRefused("not a folder: " + file);
    assertFalse(Files.exists(pools));
    assertEquals(2, run("info").status());
    assertEquals(2, run("frobnicate").status());
  }

  @Test
  void whatIsThereIsNotOverwritten() throws IOException {
    run("import", index, pools).assertDone();
    Map<String, byte[]> before = SampleText.files(index);
    run("export", pools, index).assertRefused("not empty: " + index);
    run("import", index, pools)
        .assertRefused("not empty: the pools in " + pools + " hold " + before.size() + " files");
    assertEquals(before.keySet(), SampleText.files(index).keySet());
    assertEquals(List.of(POOL), List.copyOf(SampleText.files(pools).keySet()));
  }

  @Test
  void poolsInUseAreRefused() throws IOException {
    run("import", index, pools).assertDone();
    try (PmemDirectory open = new PmemDirectory(pools)) {
      assertTrue(open.listAll().length > 0);
      for (String tool : TOOLS) {
        run(tool, pools)
            .assertRefused("locked pools: another process has " + pools + " open; close it first");
      }
    }
  }

  @Test
  void damagedPoolsAreNamed() throws IOException {
    run("import", index, pools).assertDone();
    byte[] bytes = Files.readAllBytes(pools.resolve(POOL));
    bytes[20] ^= 1;
    Files.write(pools.resolve(POOL), bytes);
    for (String tool : TOOLS) {
      EndedCommand ended = run(tool, pools);
      assertEquals(1, ended.status());
      assertEquals(1, ended.err().lines().count());
      assertTrue(
          ended.err().startsWith("damaged pools: not a usable pool file: field=checksum of super"),
          ended.err());
      assertTrue(ended.err().contains(pools.resolve(POOL).toString()), ended.err());
    }
  }

  /** A file whose bytes changed in the pool; neither exported nor called whole. */
  @Test
  void damagedFileIsNamed() throws IOException {
    run("import", index, pools).assertDone();
    String name = compoundFile();
    damage(name);
    EndedCommand check = run("check", pools);
    assertEquals(1, check.status());
    assertEquals(
        "damaged files: 1 of " + SampleText.files(index).size() + ": " + name, check.err().strip());
    assertTrue(check.out().contains("Damaged: " + name + ": checksum failed"), check.out());
    Path exported = folder.resolve("exported");
    EndedCommand export = run("export", pools, exported);
    assertEquals(1, export.status());
    assertTrue(export.err().startsWith("checksum failed"), export.err());
    assertTrue(export.err().contains(name), export.err());
    assertEquals(1, export.err().lines().count());
    assertEquals(Map.of(), SampleText.files(exported));
  }

  private String compoundFile() throws IOException {
    return SampleText.files(index).keySet().stream()
        .filter(f -> f.endsWith(".cfs"))
        .findFirst()
        .orElseThrow();
  }

  /** Changes a byte in the middle of a file where it lies in the pool. */
  private void damage(String name) throws IOException {
    byte[] file;
    try (PmemDirectory open = new PmemDirectory(pools);
        IndexInput in = open.openInput(name, IOContext.DEFAULT)) {
      file = new byte[(int) in.length()];
      in.readBytes(file, 0, file.length);
    }
    byte[] pool = Files.readAllBytes(pools.resolve(POOL));
    for (int page = 0; page + file.length <= pool.length; page += 4096) {
      if (Arrays.equals(pool, page, page + file.length, file, 0, file.length)) {
        pool[page + file.length / 2] ^= 1;
        Files.write(pools.resolve(POOL), pool);
        return;
      }
    }
    throw new AssertionError(name + " is not in the pool");
  }

  @Test
  void damagedIndexIsNotImported() throws IOException {
    Path file = index.resolve(compoundFile());
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
    EndedCommand ended = run("import", index, pools);
    assertEquals(1, ended.status());
    assertTrue(ended.err().startsWith("checksum failed"), ended.err());
    assertTrue(ended.err().contains(file.toString()), ended.err());
    assertEquals("", run("list", pools).out());
  }

  @Test
  void poolsWithoutCommitAreChecked() throws IOException {
    try (PmemDirectory made = PmemDirectory.builder(pools).initialBytes(1 << 20).build();
        IndexOutput out = made.createOutput("a file", IOContext.DEFAULT)) {
      out.writeInt(1);
    }
    EndedCommand check = run("check", pools);
    check.assertDone();
    assertTrue(check.out().contains("Files: 0, 0.0 MiB"), check.out());
    assertTrue(check.out().contains("Index: no commit"), check.out());
    run("info", pools).assertDone();
    run("import", index, pools).assertDone();
    run("check", pools).assertDone();
  }
}
