// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.lucenedirectories.benchmarks.results.Presentation;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.tools.console.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.search.highlight.SimpleHTMLEncoder;

/**
 * The page of results: one file that needs no network. It holds the verdict as text, and all else
 * as JSON, which a script draws.
 */
public final class Page {
  private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");
  private static final ObjectMapper MAPPER =
      new ObjectMapper().setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL);

  private Page() {}

  private record Content(
      List<String> hints,
      List<String> notes,
      List<Tables.TableView> tables,
      Map<String, String> facts) {}

  public static void write(Results results, Path file) {
    Presentation page = results.page();
    Content content =
        new Content(
            results.hints(),
            page.notes(),
            results.isTrusted() ? Tables.of(results) : List.of(),
            results.facts());
    try {
      Map<String, String> parts =
          Map.of(
              "title", SimpleHTMLEncoder.htmlEncode(page.title()),
              "verdict",
                  SimpleHTMLEncoder.htmlEncode(
                      results.verdict() == null ? "" : results.verdict().text()),
              "trust", results.isTrusted() ? "trusted" : "noisy",
              "style", resource("page.css"),
              "content", MAPPER.writeValueAsString(content).replace("<", "\\u003c"),
              "script", resource("page.js"));
      String html =
          PLACE
              .matcher(resource("page.html"))
              .replaceAll(
                  place ->
                      Matcher.quoteReplacement(Objects.requireNonNull(parts.get(place.group(1)))));
      // A text of a file may hold half a character.
      Files.write(file, html.getBytes(StandardCharsets.UTF_8));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw UsageException.because("cannot write " + file, e);
    }
  }

  private static String resource(String name) {
    try (InputStream in = Objects.requireNonNull(Page.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
