// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.uri;

import io.github.lucenedirectories.cache.BlockCache;
import io.github.lucenedirectories.cache.BlockCacheDirectory;
import io.github.lucenedirectories.internal.uri.UriOptions;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.pmem.PmemDirectory;
import io.github.lucenedirectories.ram.NrtCacheDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;

/** Opening by URI: every kind and option, and the errors. */
public class LuceneDirectoriesTest extends LibraryTestCase {

  private static final String ALLOWED = "allowed: ";

  private static Map<String, Class<?>> kinds(Path parent) {
    Map<String, Class<?>> kinds = new HashMap<>();
    kinds.put("nio:" + parent.resolve("nio") + "?block=4k&directMerge=8m", NioDirectory.class);
    kinds.put("mapped:" + parent.resolve("mapped") + "?preload=cfs,si", MappedDirectory.class);
    kinds.put(
        "hybrid:" + parent.resolve("hybrid") + "?memory=64m&mapped=doc&positional=fdt,tvd",
        HybridDirectory.class);
    kinds.put("ram:?max=32m&hugePages=never", RamDirectory.class);
    kinds.put("ram:mapped:" + parent.resolve("ram") + "?max=32m", RamDirectory.class);
    kinds.put(
        "nrt:hybrid:" + parent.resolve("nrt") + "?maxMergeSize=1m&maxCached=8m",
        NrtCacheDirectory.class);
    kinds.put(
        "cached:nio:" + parent.resolve("cached") + "?cache=1m&cacheBlock=8k",
        BlockCacheDirectory.class);
    kinds.put(
        "pmem:" + parent.resolve("pmem") + "?mode=file&engine=jdk&initial=4m&poolFile=4m",
        PmemDirectory.class);
    return kinds;
  }

  public void testEachKindHoldsAnIndex() throws IOException {
    for (Map.Entry<String, Class<?>> kind : kinds(createTempDir()).entrySet()) {
      String uri = kind.getKey();
      try (Directory directory = LuceneDirectories.open(uri)) {
        assertTrue(uri, isOrWraps(directory, kind.getValue()));
        try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(null))) {
          Document document = new Document();
          document.add(new StringField("id", "1", Store.YES));
          writer.addDocument(document);
        }
        assertEquals(uri, 1, count(directory));
        // A copy onto a file that is there leaves it alone.
        String[] names = directory.listAll();
        String first = names[0];
        String last = names[names.length - 1];
        expectThrows(
            FileAlreadyExistsException.class,
            () -> directory.copyFrom(directory, last, first, IOContext.DEFAULT));
        assertArrayEquals(uri, names, directory.listAll());
        assertEquals(uri, 1, count(directory));
      }
      if (!uri.startsWith("ram:?")) {
        try (Directory directory = LuceneDirectories.open(uri)) {
          assertEquals(uri, 1, count(directory));
        }
      }
    }
  }

  private static int count(Directory directory) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      return reader.numDocs();
    }
  }

  private static boolean isOrWraps(Directory directory, Class<?> type) {
    return type.isInstance(directory)
        || (directory instanceof FilterDirectory wrapper && isOrWraps(wrapper.getDelegate(), type));
  }

  public void testOptionsReachTheDirectory() throws IOException {
    Path folder = createTempDir();
    try (Directory nio = LuceneDirectories.open("nio:" + folder + "?block=64&directMerge=1g")) {
      assertTrue(
          nio.toString(), nio.toString().contains("blockBytes=64 directMergeBytes=" + (1 << 30)));
    }
    try (Directory nrt =
        LuceneDirectories.open("nrt:nio:" + folder + "?maxMergeSize=2m&maxCached=16m")) {
      assertTrue(nrt.toString(), nrt.toString().contains("maxMergeSizeMB=2.0 maxCachedMB=16.0"));
    }
    try (Directory ram = LuceneDirectories.open("ram:?max=16m&name=small")) {
      assertTrue(ram.toString(), ram.toString().startsWith("small@"));
      assertTrue(ram.toString(), ram.toString().contains("maxBytes=" + (16 << 20)));
    }
    try (Directory hybrid = LuceneDirectories.open("hybrid:" + folder + "?positional=fdt")) {
      write(hybrid, "_0.fdt", new byte[1]);
      assertTrue(((HybridDirectory) hybrid).explain("_0.fdt").contains("option for .fdt"));
    }
  }

  /** An index that does not fit the memory leaves nothing open. */
  public void testWhatCannotBeOpenedIsClosed() throws IOException {
    Path folder = createTempDir();
    try (Directory directory = new NioDirectory(folder);
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(null))) {
      writer.addDocument(new Document());
    }
    String uri = "ram:cached:nio:" + folder + "?cache=1m&max=64";
    IOException refusal = expectThrows(IOException.class, () -> LuceneDirectories.open(uri));
    assertTrue(refusal.toString(), refusal.toString().contains("the index does not fit"));
  }

  /** A folder whose name has characters that mean something in a URI. */
  public void testPercentEncoding() throws IOException {
    // Not of the mock file system, which allows fewer names.
    Path folder = Path.of(createTempDir().toString(), "a b?c&d=e%f+g");
    String encoded = folder.toString().replace("%", "%25").replace("?", "%3F").replace(" ", "%20");
    try (Directory directory = LuceneDirectories.open("nio:" + encoded)) {
      write(directory, "file", new byte[1]);
    }
    assertTrue(Files.exists(folder.resolve("file")));
  }

  /** What builders offer is an option, except where it is an object of the application. */
  public void testEveryBuilderOptionIsThere() {
    Map<String, Class<?>> builders =
        Map.of(
            "nio:/f", NioDirectory.Builder.class,
            "mapped:/f", MappedDirectory.Builder.class,
            "hybrid:/f", HybridDirectory.Builder.class,
            "ram:", RamDirectory.Builder.class,
            "cached:nio:/f", BlockCache.Builder.class,
            "pmem:/f", PmemDirectory.Builder.class);
    Set<String> objects = Set.of("build", "backing", "budget", "loadProgress");
    // A cache in place of positional reads alone is an object, too.
    Map<String, String> renamed =
        Map.of(
            "lockFactory", "locks",
            "read", "mappedRandom",
            "nio:/f positional", "positional",
            "cached:nio:/f max", "cache",
            "cached:nio:/f block", "cacheBlock",
            "cached:nio:/f hugePages", "cacheHugePages");
    builders.forEach(
        (uri, builder) -> {
          Set<String> allowed = allowed(uri);
          for (Method method : builder.getDeclaredMethods()) {
            if (Modifier.isPublic(method.getModifiers()) && !objects.contains(method.getName())) {
              String name = method.getName().replaceAll("Bytes$", "");
              String option =
                  renamed.getOrDefault(uri + " " + name, renamed.getOrDefault(name, name));
              assertTrue(uri + " lacks " + option + ": " + allowed, allowed.contains(option));
            }
          }
        });
  }

  private static Set<String> allowed(String uri) {
    String message =
        message(
            expectThrows(
                IllegalArgumentException.class, () -> new UriOptions(uri + "?none=1").opener()));
    String list = message.substring(message.indexOf(ALLOWED) + ALLOWED.length());
    return new TreeSet<>(List.of(list.split(", ")));
  }

  public void testErrorsSayWhatIsValid() throws IOException {
    Path folder = createTempDir().resolve("index");
    refuses(
        "hybrid:" + folder + "?memry=4g", "unknown option 'memry'; allowed: chunk, directMerge, ");
    refuses(
        "hybird:" + folder,
        "unknown directory 'hybird'; allowed: cached, hybrid, mapped, nio, nrt, pmem, ram");
    refuses("hybrid:" + folder + "?memory=much", "memory=much: it should be a number");
    refuses("hybrid:" + folder + "?memory=9999999999g", "long overflow");
    refuses("nio:" + folder + "?block=12", "block=12: ");
    refuses("nio:" + folder + "?block=4g", "block=4g: ");
    refuses("mapped:" + folder + "?chunk=3", "chunk=3: ");
    refuses("hybrid:" + folder + "?mapped=.fdt", "extension must be without a dot");
    refuses("mapped:" + folder + "?preload=", "preload=: it should be names separated by commas");
    refuses("mapped:" + folder + "?preload=cfs,,si", "should be names separated by commas");
    refuses("ram::" + folder, "unknown directory ''; allowed: ");
    refuses("nio:" + folder + "?block=16&block=32", "at most once, but found 'block=32'");
    refuses(
        "nio:" + folder + "?locks=nativ",
        "unknown value 'nativ'; allowed: native, none, process, simple");
    refuses("nio:" + folder + "?=1", "unknown option ''; allowed: ");
    refuses("nio:" + folder + "?block", "expected option=value");
    refuses("nio:" + folder + "?", "expected option=value");
    refuses("nio:" + folder + "%zz", "escape (%)");
    refuses("nio:" + folder + "%00", "Nul character");
    refuses("nio:", "the folder is missing");
    refuses("cached:cached:nio:" + folder, "unknown directory 'cached'; allowed: ");
    refuses("cached:" + folder, "unknown directory ''; allowed: ");
    refuses("ram:?hugePages=yes", "hugePages=yes: unknown value 'yes'; allowed: ");
    refuses("", "unknown directory ''; allowed: ");
    refuses("cached:nio:" + folder + "?cacheBlock=5", "blockBytes must be a power of two");
    refuses("ram:cached:nio:" + folder + "?cache=1m&chunk=3", "power of two");
    refuses("nio:%00", "Nul character");
    refuses("pmem:" + folder + "?initial=1k", "initial=1k: ");
  }

  private static void refuses(String uri, String expected) {
    IllegalArgumentException error =
        expectThrows(IllegalArgumentException.class, () -> LuceneDirectories.open(uri));
    String message = message(error);
    assertTrue(message, message.contains(expected));
    assertTrue(message, message.contains("'" + uri + "'"));
  }

  private static String message(IllegalArgumentException e) {
    return Objects.requireNonNull(e.getMessage());
  }

  /** An invalid URI leaves no folder behind. */
  public void testNothingIsCreatedByAnInvalidUri() throws IOException {
    Path folder = createTempDir().resolve("index");
    for (String name : List.of("nio", "mapped", "hybrid", "pmem", "nrt:nio", "cached:mapped")) {
      refuses(name + ":" + folder + "?nothing=1", "unknown option 'nothing'");
      assertFalse(name, Files.exists(folder));
    }
    refuses("cached:nio:" + folder + "?cacheBlock=5", "blockBytes must be a power of two");
    refuses("cached:nio:" + folder + "?cache=1&cacheBlock=4k", "maxBytes must be from one block");
    refuses("ram:mapped:" + folder + "?chunk=3", "chunk=3: ");
    refuses("ram:mapped:" + folder + "?max=0", "max=0: ");
    assertFalse(Files.exists(folder));
  }
}
