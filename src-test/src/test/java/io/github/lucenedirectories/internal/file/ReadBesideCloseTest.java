package io.github.lucenedirectories.internal.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.Sample;
import io.github.lucenedirectories.testkit.TestMode;
import io.github.lucenedirectories.testkit.durability.JavaCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.openjdk.jcstress.Main;

/**
 * Runs {@link ReadBesideClose} by jcstress. {@code -Dtestkit.stressMillis=60000} makes it longer.
 */
@LuceneTestCase.SuppressFileSystems("*") // another process reads the files
public class ReadBesideCloseTest extends LibraryTestCase {

  /* A file is opened for each state, and a stride is made at once. */
  private static final int STATES = 64;

  private static final int MILLIS = Integer.getInteger("testkit.stressMillis", 2_000);

  /* Beyond the time that is asked for in each of a few ways to compile. */
  private static final long PATIENCE_SECONDS = 300L + MILLIS / 100;

  public void testDescriptorIsNotUsedAfterClose() throws IOException, InterruptedException {
    assumeTrue("takes long", Sample.ALL || TestMode.current() == TestMode.SCALAR);
    Path folder = createTempDir();
    for (String name : List.of(ReadBesideClose.FIRST, ReadBesideClose.SECOND)) {
      byte[] bytes = new byte[ReadBesideClose.LENGTH];
      Arrays.fill(bytes, ReadBesideClose.content(name));
      Files.write(folder.resolve(name), bytes);
    }
    Path out = folder.resolve("out");
    List<String> command =
        JavaCommand.of(
            // Its own JVMs get the same, and begin with 256 MiB.
            List.of("-Xmx256m"),
            Main.class,
            "-t",
            ReadBesideClose.class.getName(),
            // Binding threads to processors needs native access, and more than one of them.
            "-af",
            "NONE",
            "-sc",
            "false",
            "-f",
            "1",
            "-fsm",
            "1",
            "-iters",
            "1",
            "-time",
            Integer.toString(MILLIS),
            "-strideSize",
            "8",
            "-strideCount",
            Integer.toString(STATES / 8),
            "-jvmArgs",
            TestMode.current().accessOption() + " -D" + ReadBesideClose.FOLDER + "=" + folder,
            "-r",
            folder.toString(),
            "-v");
    int status = JavaCommand.run(command, out, PATIENCE_SECONDS);
    String said = Files.readString(out, UTF_8);
    assertEquals(said, 0, status);
    for (String outcome : List.of("1, 1", "-1, 1")) {
      assertTrue(said, samples(said, outcome) > 0);
    }
  }

  /** How often an outcome was seen, in all tables; one that never was has a line, too. */
  private static long samples(String said, String outcome) {
    return Pattern.compile("^ *" + outcome + " +([0-9,]+) ", Pattern.MULTILINE)
        .matcher(said)
        .results()
        .mapToLong(line -> Long.parseLong(line.group(1).replace(",", "")))
        .sum();
  }
}
