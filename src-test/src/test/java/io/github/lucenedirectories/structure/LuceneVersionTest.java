// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.structure;

import static org.apache.lucene.tests.search.CheckHits.checkEqual;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.Project;
import io.github.lucenedirectories.vectors.PrefetchingDirectoryReader;
import io.github.lucenedirectories.vectors.PrefetchingIndexSearcher;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.RescoreTopNQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.util.TestUtil;
import org.apache.lucene.util.Version;

/**
 * The library's classes fit the Lucene that the tests run with, also where that is not the one they
 * were compiled against ({@code ./run test --lucene}).
 */
public class LuceneVersionTest extends LibraryTestCase {

  private static final boolean PREFETCHES = Version.LATEST.onOrAfter(Version.fromBits(10, 5, 0));

  /** The only class, with those in it, that calls what Lucene has since 10.5. */
  private static final String PREFETCHING = "io.github.lucenedirectories.vectors.VectorField";

  public void testVersionIsTheOneAskedFor() {
    String wanted = System.getProperty("lucene.version");
    assumeTrue("none was asked for", wanted != null);
    assertEquals(wanted, Version.LATEST.toString());
  }

  public void testEveryMemberIsThere() throws Exception {
    Set<String> missing = new TreeSet<>();
    int references = 0;
    for (Path source : Project.sources()) {
      String name = Project.className(source);
      for (Class<?> type : find(name).getNestMembers()) {
        for (Method method : type.getMethods()) {
          if (Modifier.isAbstract(method.getModifiers() & ~type.getModifiers())) {
            missing.add(type + " does not implement " + method);
          }
        }
        try (InputStream in = type.getResourceAsStream(binaryName(type) + ".class")) {
          for (PoolEntry entry : ClassFile.of().parse(in.readAllBytes()).constantPool()) {
            references++;
            if (!isThere(entry) && (PREFETCHES || !name.equals(PREFETCHING))) {
              missing.add(type + " uses " + entry);
            }
          }
        }
      }
    }
    assertEquals("Lucene " + Version.LATEST, Set.of(), missing);
    assertTrue("" + references, references > 10_000);
  }

  private static String binaryName(Class<?> type) {
    return type.getName().substring(type.getPackageName().length() + 1);
  }

  /** Loads a class, but does not initialize it: some constants need native access. */
  private static Class<?> find(String name) throws ClassNotFoundException {
    return Class.forName(name, false, LuceneVersionTest.class.getClassLoader());
  }

  /** Whether a class or member exists, if it is Lucene's or the library's. */
  private static boolean isThere(PoolEntry entry) {
    ClassEntry owner =
        switch (entry) {
          case ClassEntry type -> type;
          case MemberRefEntry member -> member.owner();
          default -> null;
        };
    String name = owner == null ? "" : owner.asInternalName().replace('/', '.');
    if (!name.startsWith("org.apache.lucene.") && !name.startsWith("io.github.")) {
      return true;
    }
    try {
      Class<?> type = find(name);
      return !(entry instanceof MemberRefEntry member) || isMember(type, member);
    } catch (ClassNotFoundException _) {
      return false;
    }
  }

  private static boolean isMember(Class<?> type, MemberRefEntry wanted) {
    return Stream.of(
                Stream.of(type.getDeclaredMethods())
                    .map(
                        method ->
                            method.getName()
                                + MethodType.methodType(
                                        method.getReturnType(), method.getParameterTypes())
                                    .descriptorString()),
                Stream.of(type.getDeclaredConstructors())
                    .map(
                        made ->
                            "<init>"
                                + MethodType.methodType(void.class, made.getParameterTypes())
                                    .descriptorString()),
                Stream.of(type.getDeclaredFields())
                    .map(field -> field.getName() + field.getType().descriptorString()))
            .flatMap(members -> members)
            .anyMatch((wanted.name().stringValue() + wanted.type().stringValue())::equals)
        || Stream.concat(Stream.ofNullable(type.getSuperclass()), Stream.of(type.getInterfaces()))
            .anyMatch(above -> isMember(above, wanted));
  }

  /** Where Lucene is too old to prefetch, the hits are the same, and the reader says so. */
  public void testVectorSearch() throws Exception {
    try (Directory directory = new ByteBuffersDirectory()) {
      IndexWriterConfig config = new IndexWriterConfig().setCodec(TestUtil.getDefaultCodec());
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        for (int i = 0; i < 2_000; i++) {
          Document document = new Document();
          document.add(new KnnFloatVectorField("vector", vector()));
          writer.addDocument(document);
        }
      }
      try (DirectoryReader plain = DirectoryReader.open(directory);
          DirectoryReader reader =
              PrefetchingDirectoryReader.wrap(DirectoryReader.open(directory))) {
        Query nearest = new KnnFloatVectorQuery("vector", vector(), 10);
        Query rescored =
            RescoreTopNQuery.createFullPrecisionRescorerQuery(nearest, vector(), "vector", 5);
        for (Query query : new Query[] {nearest, rescored}) {
          checkEqual(
              query,
              new IndexSearcher(plain).search(query, 10).scoreDocs,
              new PrefetchingIndexSearcher(reader).search(query, 10).scoreDocs);
        }
        assertEquals(!PREFETCHES, reader.toString().contains("needs Lucene 10.5"));
      }
    }
  }

  private static float[] vector() {
    return new float[] {random().nextFloat(), random().nextFloat(), random().nextFloat()};
  }
}
