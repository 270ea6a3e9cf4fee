// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.tasks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.SampleText;
import io.github.lucenedirectories.benchmarks.results.Results.Skipped;
import io.github.lucenedirectories.benchmarks.tasks.Task.Answer;
import io.github.lucenedirectories.tools.console.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TaskSelectionTest {
  private static final int DOCUMENTS = 3000;

  /** Kinds that find more than documents and scores. */
  private static final Set<String> DETAILED =
      Set.of(
          "TermDateTimeSort",
          "TermTitleSort",
          "BrowseRandomLabelSSDVFacets",
          "PKLookup",
          "Stored",
          "Highlight");

  @TempDir private static Path folder;
  private static Directory directory;
  private static IndexReader reader;

  @BeforeAll
  static void index() throws IOException {
    Path lines = SampleText.lineFile(folder.resolve("a.tsv"), DOCUMENTS);
    directory = FSDirectory.open(SampleText.index(lines, folder.resolve("index")));
    reader = DirectoryReader.open(directory);
  }

  @AfterAll
  static void close() throws IOException {
    reader.close();
    directory.close();
  }

  private List<TaskLine> pick(long seed, String... kinds) throws IOException {
    return TaskSelection.pick(reader, "body", List.of(kinds), 5, seed).lines();
  }

  @Test
  void everyDefaultKindHasQueriesThatRun() throws Exception {
    SearchContext context = new SearchContext(reader);
    TaskParser parser = new TaskParser("body");
    List<TaskLine> lines = pick(1);
    assertEquals(QueryPicker.KINDS, lines.stream().map(TaskLine::kind).distinct().toList());
    for (TaskLine line : lines) {
      Answer answer = parser.parse(line).answer(context);
      assertFalse(answer.total().equals("0"), line + " finds nothing");
      boolean detailed = DETAILED.contains(line.kind());
      assertTrue(
          answer.hits().stream().allMatch(hit -> hit.detail().isEmpty() != detailed),
          line::toString);
      assertFalse(answer.hits().isEmpty(), line + " has no hits");
    }
    Task count = parser.parse(new TaskLine("Count", "count(woaaard)"));
    assertEquals(List.of(), count.answer(context).hits());
  }

  @Test
  void documentsAreDrawnAnewByEachQueryAndTheSameForEachAnswer() throws Exception {
    Map<String, Integer> sizes =
        Map.of("StoredOne", 1, "StoredTen", 10, "StoredHundred", 100, "PKLookupOne", 1);
    SearchContext plain = new SearchContext(reader);
    SearchContext announcing = new SearchContext(new IndexSearcher(reader), true, true);
    for (TaskLine line : pick(1, sizes.keySet().toArray(String[]::new))) {
      Task task = new TaskParser("body").parse(line);
      Answer answer = task.answer(plain);
      assertEquals(sizes.get(line.kind()), answer.hits().size());
      assertTrue(answer.hits().stream().noneMatch(hit -> hit.detail().isEmpty()));
      announcing.run(task);
      assertEquals(answer, task.answer(announcing), line::toString);
      assertEquals(
          line.kind().startsWith("Stored"), !answer.equals(task.search().run(plain).get()));
    }
    plain.seed(7);
    Set<Integer> drawn =
        Arrays.stream(plain.draw(100 * DOCUMENTS)).boxed().collect(Collectors.toSet());
    assertEquals(reader.maxDoc(), drawn.size(), "all documents of all segments");
  }

  @Test
  void sameSeedGivesTheSameQueriesWhateverTheOtherKinds() throws IOException {
    List<TaskLine> all = pick(1);
    assertEquals(all, pick(1));
    assertNotEquals(all, pick(2));
    List<TaskLine> phrases = all.stream().filter(line -> line.kind().equals("Phrase")).toList();
    assertEquals(phrases, pick(1, "Phrase"));
  }

  /** The words that most documents have, whatever they are, over all segments. */
  @Test
  void hardestTermsAreTheMostFrequentOnes() throws IOException {
    try (Directory small = new ByteBuffersDirectory()) {
      write(small, "the night train", "the night", "the the the", "fare of night", "the fare");
      try (IndexReader few = DirectoryReader.open(small)) {
        assertEquals(
            List.of("the", "night", "fare"),
            new QueryPicker(few, "body", 1)
                .pick(QueryPicker.HARDEST, 3).stream().map(TaskLine::text).toList());
      }
    }
  }

  private static void write(Directory directory, String... texts) throws IOException {
    try (IndexWriter writer =
        new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()))) {
      for (String text : texts) {
        Document document = new Document();
        document.add(new TextField("body", text, Field.Store.NO));
        writer.addDocument(document);
        writer.flush();
      }
    }
  }

  @Test
  void wordsHaveTheFrequencyOfTheirKind() throws IOException {
    for (TaskLine line : pick(3, "HighTerm", "MedTerm", "LowTerm")) {
      double share = reader.docFreq(new Term("body", line.text())) / (double) reader.maxDoc();
      boolean right =
          switch (line.kind()) {
            case "HighTerm" -> share > 0.02;
            case "MedTerm" -> share > 0.002 && share <= 0.02;
            default -> share > 0 && share <= 0.002;
          };
      assertTrue(right, line + " share=" + share);
    }
  }

  @Test
  void sampleOfATaskFileIsSeededAndNamesWhatItSkips() throws IOException {
    List<TaskLine> file =
        List.of(
            new TaskLine("Term", "woaaard"),
            new TaskLine("Term", "wobaard"),
            new TaskLine("Term", "wocaard"),
            new TaskLine("Respell", "wocaard"),
            new TaskLine("Respell", "wodaard"),
            new TaskLine("Filtered", "wocaard +filter=5%"));
    TaskSelection selection = TaskSelection.sample(reader, "body", file, List.of(), 2, 1);
    assertEquals(2, selection.lines().size());
    assertEquals(
        List.of(
            new Skipped("Respell", 2, "spelling suggestions"),
            new Skipped("Filtered", 1, "+filter")),
        selection.skipped());
    assertEquals(
        selection.lines(), TaskSelection.sample(reader, "body", file, List.of(), 2, 1).lines());
    UsageException refused =
        assertThrows(
            UsageException.class,
            () -> TaskSelection.sample(reader, "body", file, List.of("Fuzzy1"), 2, 1));
    assertEquals(
        "unknown kind 'Fuzzy1': choose from Term, Respell, Filtered", refused.getMessage());
  }

  @Test
  void kindsWhoseFieldsAreMissingAreSkippedByName() throws IOException {
    try (Directory small = new ByteBuffersDirectory()) {
      String text = "some words in a body";
      write(small, text, text, text);
      try (IndexReader few = DirectoryReader.open(small)) {
        TaskSelection selection = TaskSelection.pick(few, "body", List.of(), 5, 1);
        List<String> skipped = selection.skipped().stream().map(Skipped::task).distinct().toList();
        assertTrue(skipped.contains("VectorSearch") || skipped.contains("MedTerm"));
        assertTrue(skipped.contains("PKLookup"));
        assertTrue(skipped.contains("TermTitleSort"));
        assertTrue(selection.lines().stream().anyMatch(line -> line.kind().equals("AndHighHigh")));
        assertTrue(
            selection.skipped().stream()
                .anyMatch(
                    s -> s.reason().equals("the index has no int points in field 'timesecnum'")));
      }
    }
  }
}
