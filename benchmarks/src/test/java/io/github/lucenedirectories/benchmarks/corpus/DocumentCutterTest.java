package io.github.lucenedirectories.benchmarks.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class DocumentCutterTest {
  private static final long SEED = 17;

  @Test
  void everyWordIsKeptAndPartsComeNearTheTarget() {
    Random random = new Random(SEED);
    for (int round = 0; round < 200; round++) {
      String text = words(1 + random.nextInt(2000), random);
      List<String> parts = DocumentCutter.cut(text);
      assertEquals(wordsOf(List.of(text)), wordsOf(parts), "seed=" + SEED + " round=" + round);
      int bytes = text.getBytes(StandardCharsets.UTF_8).length;
      int expected = Math.max(1, Math.round(bytes / (float) DocumentCutter.TARGET_BYTES));
      assertTrue(
          Math.abs(parts.size() - expected) <= 1, parts.size() + " parts of " + bytes + " bytes");
      for (String part : parts.subList(0, parts.size() - 1)) {
        int size = part.getBytes(StandardCharsets.UTF_8).length;
        assertTrue(size > 500 && size < 1800, "a part of " + size + " bytes of " + bytes);
      }
    }
  }

  @Test
  void shortTextIsOnePartAndBlankTextNone() {
    assertEquals(List.of("a few words"), DocumentCutter.cut("  a few words \n"));
    assertEquals(List.of(), DocumentCutter.cut(" \n "));
  }

  @Test
  void wordLongerThanADocumentStaysWhole() {
    String word = "x".repeat(5000);
    assertEquals(List.of(word), DocumentCutter.cut(word));
    assertEquals(List.of(word, "tail"), DocumentCutter.cut(word + " tail"));
  }

  private static String words(int count, Random random) {
    return random
        .ints(count, 1, 12)
        .mapToObj(length -> (random.nextBoolean() ? "a" : "ä").repeat(length))
        .collect(Collectors.joining(" "));
  }

  private static List<String> wordsOf(List<String> texts) {
    List<String> words = new ArrayList<>();
    texts.forEach(text -> words.addAll(Arrays.asList(text.split(" "))));
    return words;
  }
}
