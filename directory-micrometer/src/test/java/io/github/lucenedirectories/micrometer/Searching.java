// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.micrometer;

import com.sun.net.httpserver.HttpServer;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.SuppressForbidden;

/**
 * The process that {@code ./run dashboard} watches: searches an index through a {@link
 * HybridDirectory} and serves its meters to Prometheus. Arguments: the index and its text field.
 *
 * <p>Prints the port; after a first line on the input it stops searching and prints how many
 * queries it counted; after a second one it ends.
 */
final class Searching {

  private static final int THREADS = 2;
  private static final int LEAST_DOCUMENTS = 5;
  private static final int MOST_TERMS = 100_000;
  private static final int HITS = 10;

  private Searching() {}

  /** Runs it. */
  @SuppressForbidden(reason = "prints its result")
  public static void main(String[] args) throws Exception {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    Timer timer = registry.timer("search.queries");
    LongAdder counted = new LongAdder();
    AtomicBoolean stopped = new AtomicBoolean();
    try (HybridDirectory directory = new HybridDirectory(Path.of(args[0]));
        DirectoryMeters process = DirectoryMeters.ofProcess();
        DirectoryMeters meters = DirectoryMeters.of("index", directory);
        DirectoryMeters residency = DirectoryMeters.ofResidency("index", directory);
        DirectoryReader reader = DirectoryReader.open(directory);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      for (DirectoryMeters each : List.of(process, meters, residency)) {
        each.bindTo(registry);
      }
      List<Term> terms = terms(reader, args[1]);
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext(
          "/metrics",
          exchange -> {
            try (exchange) {
              byte[] text = registry.scrape().getBytes(StandardCharsets.UTF_8);
              exchange.sendResponseHeaders(200, text.length);
              exchange.getResponseBody().write(text);
            }
          });
      server.start();
      System.out.println(server.getAddress().getPort());
      List<Future<?>> searches = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Random random = new Random(i);
        searches.add(
            threads.submit(
                () -> {
                  while (!stopped.get()) {
                    timer.recordCallable(() -> search(reader, terms, random));
                    counted.increment();
                  }
                  return null;
                }));
      }
      int _ = System.in.read();
      stopped.set(true);
      for (Future<?> each : searches) {
        each.get();
      }
      System.out.println(counted.sum());
      int _ = System.in.read();
      server.stop(0);
    }
  }

  /** Any of two terms, and the stored fields of the best documents. */
  private static int search(IndexReader reader, List<Term> terms, Random random)
      throws IOException {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    for (int i = 0; i < 2; i++) {
      query.add(new TermQuery(terms.get(random.nextInt(terms.size()))), Occur.SHOULD);
    }
    int fields = 0;
    for (ScoreDoc hit : new IndexSearcher(reader).search(query.build(), HITS).scoreDocs) {
      fields += reader.storedFields().document(hit.doc).getFields().size();
    }
    return fields;
  }

  /** Terms of several documents, each as likely as the other ones. */
  private static List<Term> terms(IndexReader reader, String field) throws IOException {
    List<Term> terms = new ArrayList<>();
    Random random = new Random(0);
    TermsEnum all = MultiTerms.getTerms(reader, field).iterator();
    int seen = 0;
    for (BytesRef term = all.next(); term != null; term = all.next()) {
      if (all.docFreq() >= LEAST_DOCUMENTS) {
        int place = seen < MOST_TERMS ? seen : random.nextInt(seen + 1);
        seen++;
        if (place < terms.size()) {
          terms.set(place, new Term(field, BytesRef.deepCopyOf(term)));
        } else if (place < MOST_TERMS) {
          terms.add(new Term(field, BytesRef.deepCopyOf(term)));
        }
      }
    }
    return terms;
  }
}
