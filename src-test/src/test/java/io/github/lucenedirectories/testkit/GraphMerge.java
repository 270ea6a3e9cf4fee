// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.internal.os.ProcessIoCounters;
import io.github.lucenedirectories.variants.Sizes;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.SuppressForbidden;

/**
 * A merge of two segments of vectors into one, which builds a graph: how long it takes and what it
 * reads from the device. {@code src-test/limits/graph-merge} runs it under a memory limit.
 */
public final class GraphMerge {

  private static final int DIMENSIONS = 768;

  private GraphMerge() {}

  /**
   * Arguments: {@code index}, a folder and the number of vectors; or the name of a directory and a
   * folder with such an index, which it merges.
   */
  @SuppressForbidden(reason = "a command line prints")
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[1]);
    if (args[0].equals("index")) {
      index(folder, Integer.parseInt(args[2]));
      return;
    }
    ProcessIoCounters before = ProcessIoCounters.now().orElseThrow();
    long begin = System.nanoTime();
    try (Directory directory = Variants.named(args[0], Use.WRITE).open(folder, Sizes.DEFAULT);
        IndexWriter writer = new IndexWriter(directory, config())) {
      writer.forceMerge(1);
    }
    System.out.printf(
        Locale.ROOT,
        "%s %.1f s, %.3f GB%n",
        args[0],
        (System.nanoTime() - begin) / 1e9,
        ProcessIoCounters.now().orElseThrow().since(before).deviceBytes() / 1e9);
  }

  private static IndexWriterConfig config() {
    return new IndexWriterConfig()
        .setUseCompoundFile(false)
        .setMergeScheduler(new SerialMergeScheduler());
  }

  private static void index(Path folder, int vectors) throws IOException {
    try (Directory directory = new MMapDirectory(folder);
        IndexWriter writer =
            new IndexWriter(
                directory,
                config().setMergePolicy(NoMergePolicy.INSTANCE).setRAMBufferSizeMB(2_000))) {
      Random random = new Random(1);
      for (int i = 0; i < vectors; i++) {
        // Near one of a hundred centres, as embeddings of text are.
        Random centre = new Random(random.nextInt(100));
        float[] vector = new float[DIMENSIONS];
        for (int j = 0; j < DIMENSIONS; j++) {
          vector[j] = (float) (centre.nextGaussian() + 0.7 * random.nextGaussian());
        }
        Document document = new Document();
        document.add(new KnnFloatVectorField("vector", vector));
        writer.addDocument(document);
        if (i == vectors / 2) {
          writer.flush();
        }
      }
    }
  }
}
