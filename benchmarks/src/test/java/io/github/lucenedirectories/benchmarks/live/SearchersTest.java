package io.github.lucenedirectories.benchmarks.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.meter.Meter;
import io.github.lucenedirectories.benchmarks.meter.MeteredDirectory;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who closes an old reader, what a reopen is, and how threads of a run end. */
class SearchersTest {
  private final Window window = new Window();
  private final Meter meter = new Meter();
  private final Directory directory = new MeteredDirectory(new ByteBuffersDirectory(), meter);
  private IndexWriter writer;
  private Searchers searchers;

  @BeforeEach
  void open() throws IOException {
    writer = new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()));
    searchers = new Searchers(writer, window);
    window.open();
  }

  @AfterEach
  void close() throws IOException {
    searchers.close();
    writer.rollback();
    directory.close();
  }

  private void change() throws IOException {
    writer.addDocument(new Document());
  }

  @Test
  void closeIsCountedWhereItHappens() throws Exception {
    OpenSearcher held = searchers.acquire();
    change();
    searchers.refresh();
    assertEquals(0, searchers.closes().getTotalCount(), "a search still holds it");
    AtomicBoolean closedThere = new AtomicBoolean();
    Thread last =
        new Thread(
            () -> {
              try {
                searchers.release(held);
                closedThere.set(held.wasClosedHere());
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    last.start();
    last.join();
    assertTrue(closedThere.get());
    assertFalse(held.wasClosedHere());
    assertEquals(1, searchers.closes().getTotalCount());
    OpenSearcher current = searchers.acquire();
    searchers.release(current);
    assertEquals(1, searchers.closes().getTotalCount(), "the current one stays open");
  }

  @Test
  void reopensCountOnlyWhereSomethingChanged() throws IOException {
    Reopener reopener = new Reopener(searchers, window, meter, 1);
    Crew crew = new Crew(window);
    crew.start("reopener", reopener);
    crew.await(() -> window.now() > 50_000_000);
    assertEquals(0, reopener.count());
    OpenSearcher before = searchers.acquire();
    searchers.release(before);
    change();
    crew.await(() -> reopener.count() > 0);
    OpenSearcher after = searchers.acquire();
    searchers.release(after);
    assertNotSame(before, after);
    // A reopen in the middle of the change finds something, and so does the one after it.
    long settled = window.now() + 20_000_000;
    crew.await(() -> window.now() > settled);
    int count = reopener.count();
    assertTrue(count <= 2, "count " + count);
    crew.await(() -> window.now() > settled + 50_000_000);
    window.close();
    crew.join();
    assertEquals(count, reopener.count());
    assertEquals(count, reopener.whole().getTotalCount());
    long own = reopener.own().getMaxValue();
    assertTrue(own > 0 && own <= reopener.whole().getMaxValue(), "own part " + own);
    assertTrue(reopener.processor().getMaxValue() > 0);
    assertTrue(searchers.closes().getTotalCount() <= count);
  }

  @Test
  void oneThatFailsEndsAll() {
    Crew crew = new Crew(window);
    AtomicBoolean ended = new AtomicBoolean();
    crew.start(
        "worker",
        () -> {
          while (!window.isOver()) {
            Thread.onSpinWait();
          }
          ended.set(true);
        });
    crew.start(
        "failing",
        () -> {
          throw new IOException("disk full");
        });
    crew.await(() -> false);
    IOException thrown = assertThrows(IOException.class, crew::join);
    assertTrue(ended.get());
    assertTrue(String.valueOf(thrown.getMessage()).contains("disk full"));
  }
}
