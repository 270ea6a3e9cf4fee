// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.Owned;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoDeletionPolicy;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.util.IORunnable;
import org.apache.lucene.util.IOUtils;

/** What tests of the commit journal have in common. */
@LuceneTestCase.SuppressFileSystems("*") // the device is simulated
abstract class JournalTestCase extends LibraryTestCase {

  static final long RING_BYTES = 1 << 18;

  private Path scratch = Path.of("");
  private int paths;

  @Override
  public void setUp() throws Exception {
    super.setUp();
    scratch = createDirInMemory();
  }

  @Override
  public void tearDown() throws Exception {
    IOUtils.rm(scratch);
    super.tearDown();
  }

  /** A new path. */
  final synchronized Path path() {
    return scratch.resolve("journal-" + paths++);
  }

  static Directory open(JournalWorld world, int folder, CommitJournal journal) throws IOException {
    return new NrtCacheDirectory(world.folder(folder), 1, 4, journal);
  }

  /** A directory in the first folder, which closes its journal. */
  static Directory open(JournalWorld world) throws IOException {
    return Owned.over(world.open(RING_BYTES), journal -> open(world, 0, journal));
  }

  /** A directory that closes its journal. */
  static Directory open(Path journal, Path folder) throws IOException {
    return Owned.over(
        CommitJournal.open(journal, RING_BYTES),
        opened -> new NrtCacheDirectory(new NioDirectory(folder), opened));
  }

  /** What is found if the power is cut now. */
  final JournalWorld afterCut(JournalWorld world) throws IOException {
    return new JournalWorld(path(), world.cut(), random().nextLong());
  }

  /** Fails unless a step is refused and says this. */
  static void expectError(String message, IORunnable step) {
    IOException e = expectThrows(IOException.class, step::run);
    assertTrue(e.toString(), e.toString().contains(message));
  }

  static IndexWriter writer(Directory directory) throws IOException {
    return new IndexWriter(
        directory, new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE));
  }

  static void addOne(Directory directory) throws IOException {
    try (IndexWriter writer = writer(directory)) {
      writer.addDocument(document(0));
    }
  }

  /** As above, and deletes no commit. */
  static void addKept(Directory directory) throws IOException {
    IndexWriterConfig config = new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE);
    config.setIndexDeletionPolicy(NoDeletionPolicy.INSTANCE);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      writer.addDocument(document(0));
    }
  }

  static Document document(int id) {
    Document document = new Document();
    document.add(new StringField("id", Integer.toString(id), Field.Store.YES));
    return document;
  }

  /** A document whose bytes do not compress. */
  static Document document(int id, int bytes) {
    Document document = document(id);
    document.add(new StoredField("bytes", randomBytes(bytes)));
    return document;
  }

  static void commit(IndexWriter writer, Document document) throws IOException {
    writer.addDocument(document);
    writer.commit();
  }

  /** Fails unless the indexes have so many documents if the power is cut now. */
  final void checkAfterCut(JournalWorld world, int folders, int documents) throws IOException {
    JournalWorld then = afterCut(world);
    try (CommitJournal journal = then.open(RING_BYTES)) {
      for (int i = 0; i < folders; i++) {
        try (Directory directory = open(then, i, journal)) {
          assertEquals(documents, numDocs(directory));
        }
      }
    }
  }

  static int numDocs(Directory directory) throws IOException {
    if (!DirectoryReader.indexExists(directory)) {
      return 0;
    }
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      return reader.numDocs();
    }
  }

  static void ignoringFailures(IORunnable step) {
    try {
      step.run();
    } catch (IOException | IllegalStateException _) {
      // Planted, or the power is cut.
    }
  }

  /** Starts a thread, and returns when it waits for another one or has ended. */
  static void startAndAwait(Thread thread) {
    thread.start();
    while (thread.isAlive() && thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
  }
}
