// SPDX-License-Identifier: Apache-2.0
import io.github.lucenedirectories.testkit.index.RandomDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.Version;

/** Writes an index with this version of Lucene into a zip file. */
public final class OldIndexGenerator {

  private static final int DOCUMENTS = 300;

  private OldIndexGenerator() {}

  public static void main(String[] args) throws IOException {
    if (args.length != 1) {
      throw new IllegalArgumentException("usage: OldIndexGenerator ZIP");
    }
    Path zip = Path.of(args[0]);
    Path folder = Files.createTempDirectory("old-index-");
    try (FSDirectory directory = FSDirectory.open(folder);
        ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
      writeIndex(directory);
      for (String name : directory.listAll()) {
        if (!name.equals(IndexWriter.WRITE_LOCK_NAME)) {
          ZipEntry entry = new ZipEntry(name);
          entry.setTime(0);
          out.putNextEntry(entry);
          Files.copy(folder.resolve(name), out);
        }
        Files.delete(folder.resolve(name));
      }
    }
    Files.delete(folder);
    System.out.println("Lucene " + Version.LATEST + ": " + zip + ", " + Files.size(zip) + " bytes");
  }

  private static void writeIndex(FSDirectory directory) throws IOException {
    IndexWriterConfig config = new IndexWriterConfig();
    config.setMergePolicy(NoMergePolicy.INSTANCE);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int id = 0; id < DOCUMENTS; id++) {
        // Segments of different sizes, with and without a compound file.
        if (id == 200 || id == 230) {
          writer.commit();
        }
        writer.getConfig().setUseCompoundFile(id >= 200);
        Document document = RandomDocument.of(Integer.toString(id), id);
        document.add(new NumericDocValuesField("skipped_number", id));
        writer.addDocument(document);
      }
      writer.commit();
      for (int id = 3; id < DOCUMENTS; id += 17) {
        writer.deleteDocuments(new Term("id", Integer.toString(id)));
      }
      for (int id = 5; id < DOCUMENTS; id += 11) {
        Term term = new Term("id", Integer.toString(id));
        writer.updateNumericDocValue(term, "updated_number", 1_000 + id);
        writer.updateBinaryDocValue(term, "updated_bytes", new BytesRef("updated " + id));
      }
    }
  }
}
