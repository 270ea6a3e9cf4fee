// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.tasks;

import io.github.lucenedirectories.benchmarks.corpus.Fields;
import io.github.lucenedirectories.benchmarks.corpus.TextVectors;
import io.github.lucenedirectories.benchmarks.tasks.FieldNeed.Feature;
import io.github.lucenedirectories.tools.console.RunFailedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.index.Term;
import org.apache.lucene.queries.intervals.IntervalQuery;
import org.apache.lucene.queries.intervals.Intervals;
import org.apache.lucene.queries.intervals.IntervalsSource;
import org.apache.lucene.queries.spans.SpanNearQuery;
import org.apache.lucene.queries.spans.SpanTermQuery;
import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;

/**
 * Turns luceneutil's task lines into tasks. Of its syntax: the classic query syntax on the text
 * field, {@code near// ordered// nrq// intSet// vector//}, the sorts {@code lastmodndvsort//
 * titledvsort// monthdvsort// dayofyeardvsort//}, {@code count(..)} and {@code
 * +facets:sortedset:RandomLabel}. And four of our own: {@code stored//} and {@code highlight//}
 * with a query, {@code pk//} with keys, {@code docs//} with a number of documents and a seed, which
 * only tells apart the answers that are compared.
 */
public final class TaskParser {
  private static final Pattern COUNT = Pattern.compile("count\\((.*)\\)");
  private static final Pattern FACETS = Pattern.compile("(.*\\S)\\s+\\+facets:sortedset:(\\w+)");
  private static final Pattern OPTION = Pattern.compile("\\+(constantScore\\b|\\w+[=:])");
  private static final Pattern PREFIX = Pattern.compile("(\\w+)//(.*)");
  private static final Pattern SPACES = Pattern.compile("\\s+");
  private static final Pattern DOCUMENTS = Pattern.compile("(\\d{1,4}) \\d+");
  private static final int NEAR_SLOP = 10;
  private static final FieldNeed POINTS = new FieldNeed(Fields.SECOND_OF_DAY, Feature.INT_POINTS);
  private static final FieldNeed VECTORS = new FieldNeed(Fields.VECTOR, Feature.VECTORS);

  private final String field;

  /** The field is the one that queries without a prefix search. */
  public TaskParser(String field) {
    this.field = field;
  }

  /**
   * The task of a line.
   *
   * @throws UnsupportedTaskException if it asks for something that is not run here
   */
  public Task parse(TaskLine line) throws UnsupportedTaskException {
    if (line.kind().startsWith("Respell")) {
      throw new UnsupportedTaskException("spelling suggestions");
    }
    String text = line.text();
    Matcher facets = FACETS.matcher(text);
    if (facets.matches()) {
      if (!facets.group(2).equals(Fields.LABEL)) {
        throw new UnsupportedTaskException("facets by " + facets.group(2));
      }
      FieldNeed labels = new FieldNeed(Fields.LABEL, Feature.SORTED_SET);
      Task.Search search = Task.facets(classic(facets.group(1)), Fields.LABEL);
      return task(line, search, terms(), labels);
    }
    Matcher option = OPTION.matcher(text);
    if (option.find()) {
      throw new UnsupportedTaskException("+" + option.group(1).replaceAll("[=:]$", ""));
    }
    Matcher count = COUNT.matcher(text);
    if (count.matches()) {
      Matcher prefix = PREFIX.matcher(count.group(1));
      return prefix.matches() && prefix.group(1).equals("nrq")
          ? task(line, Task.count(range(prefix.group(2))), POINTS)
          : task(line, Task.count(classic(count.group(1))), terms());
    }
    Matcher prefix = PREFIX.matcher(text);
    return prefix.matches()
        ? prefixed(line, prefix.group(1), prefix.group(2).strip())
        : task(line, Task.top(classic(text)), text.contains("\"") ? positions() : terms());
  }

  private static Task task(TaskLine line, Task.Search search, FieldNeed... needs) {
    return new Task(line, search, List.of(needs));
  }

  /**
   * The tasks of a file whose lines were chosen because they can run.
   *
   * @throws RunFailedException if one cannot run after all
   */
  public static List<Task> read(Path file, String field) throws IOException {
    TaskParser parser = new TaskParser(field);
    List<Task> tasks = new ArrayList<>();
    for (TaskLine line : TaskFile.read(file)) {
      try {
        tasks.add(parser.parse(line));
      } catch (UnsupportedTaskException e) {
        throw new RunFailedException("a line that was chosen cannot run: " + line, e);
      }
    }
    return tasks;
  }

  private Task prefixed(TaskLine line, String prefix, String rest) throws UnsupportedTaskException {
    return switch (prefix) {
      case "near" -> task(line, Task.top(near(rest)), positions());
      case "ordered" -> task(line, Task.top(ordered(rest)), positions());
      case "nrq" -> task(line, Task.top(range(rest)), POINTS);
      case "intSet" ->
          task(line, Task.top(IntPoint.newSetQuery(Fields.SECOND_OF_DAY, numbers(rest))), POINTS);
      case "vector" -> {
        float[] vector = TextVectors.ofQuery(rest);
        Query query = new KnnFloatVectorQuery(Fields.VECTOR, vector, Task.TOP);
        yield task(line, Task.top(query), VECTORS);
      }
      case "lastmodndvsort" -> sorted(line, rest, Fields.LAST_MODIFIED, SortField.Type.LONG);
      case "dayofyeardvsort" -> sorted(line, rest, Fields.DAY_OF_YEAR, SortField.Type.INT);
      case "titledvsort" -> sorted(line, rest, Fields.TITLE, SortField.Type.STRING);
      case "monthdvsort" -> sorted(line, rest, Fields.MONTH, SortField.Type.STRING);
      case "stored" -> task(line, Task.stored(classic(rest)), terms());
      case "highlight" -> {
        FieldNeed stored = new FieldNeed(field, Feature.STORED);
        yield task(line, Task.highlight(classic(rest), field), positions(), stored);
      }
      case "pk" -> {
        List<BytesRef> keys = SPACES.splitAsStream(rest).map(BytesRef::new).toList();
        yield task(line, Task.lookUp(keys), new FieldNeed(Fields.ID, Feature.TERMS));
      }
      case "docs" -> {
        Matcher documents = DOCUMENTS.matcher(rest);
        if (!documents.matches()) {
          throw new UnsupportedTaskException("not a number of documents and a seed: " + rest);
        }
        yield task(line, Task.documents(Integer.parseInt(documents.group(1))));
      }
      default -> throw new UnsupportedTaskException(prefix + "//");
    };
  }

  private Query classic(String text) throws UnsupportedTaskException {
    Matcher prefix = PREFIX.matcher(text);
    if (prefix.matches()) {
      throw new UnsupportedTaskException(prefix.group(1) + "//");
    }
    if (text.replace("*:*", "").contains(":")) {
      throw new UnsupportedTaskException("queries that name a field");
    }
    try {
      QueryParser parser = new QueryParser(field, Fields.analyzer());
      parser.setAllowLeadingWildcard(true);
      return parser.parse(text);
    } catch (ParseException | IllegalArgumentException | TooComplexToDeterminizeException e) {
      // The parser lets through what it finds of an ill-formed or too large regular expression.
      throw new UnsupportedTaskException("a query that does not parse: " + text);
    }
  }

  private Query near(String text) {
    SpanNearQuery.Builder near = SpanNearQuery.newOrderedNearQuery(field).setSlop(NEAR_SLOP);
    for (String word : SPACES.splitAsStream(text).toList()) {
      near.addClause(new SpanTermQuery(new Term(field, word)));
    }
    return near.build();
  }

  private Query ordered(String text) {
    IntervalsSource[] words =
        SPACES.splitAsStream(text).map(Intervals::term).toArray(IntervalsSource[]::new);
    return new IntervalQuery(field, Intervals.maxwidth(NEAR_SLOP, Intervals.ordered(words)));
  }

  private static Query range(String text) throws UnsupportedTaskException {
    int[] numbers = numbers(text);
    if (numbers.length != 2) {
      throw new UnsupportedTaskException("a range of other than two numbers: " + text);
    }
    return IntPoint.newRangeQuery(Fields.SECOND_OF_DAY, numbers[0], numbers[1]);
  }

  private static int[] numbers(String text) throws UnsupportedTaskException {
    List<String> words = SPACES.splitAsStream(text).toList();
    if (!words.get(0).equals(Fields.SECOND_OF_DAY)) {
      throw new UnsupportedTaskException("numbers in field " + words.get(0));
    }
    try {
      return words.stream().skip(1).mapToInt(Integer::parseInt).toArray();
    } catch (NumberFormatException e) {
      throw new UnsupportedTaskException("not numbers: " + text);
    }
  }

  private Task sorted(TaskLine line, String text, String sortField, SortField.Type type)
      throws UnsupportedTaskException {
    Feature feature = type == SortField.Type.STRING ? Feature.SORTED : Feature.NUMBER;
    Sort sort = new Sort(new SortField(sortField, type));
    FieldNeed values = new FieldNeed(sortField, feature);
    return task(line, Task.sorted(classic(text), sort), terms(), values);
  }

  private FieldNeed terms() {
    return new FieldNeed(field, Feature.TERMS);
  }

  private FieldNeed positions() {
    return new FieldNeed(field, Feature.POSITIONS);
  }
}
