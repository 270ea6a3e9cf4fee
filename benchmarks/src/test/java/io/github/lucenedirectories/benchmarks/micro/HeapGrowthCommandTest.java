package io.github.lucenedirectories.benchmarks.micro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class HeapGrowthCommandTest {
  private final StringWriter out = new StringWriter();
  private @Nullable Exception failure;

  @Test
  void ramDirectoryKeepsItsBytesOffTheHeap() {
    assertEquals(0, execute("--bytes=200m"), String.valueOf(failure));
    assertTrue(out.toString().startsWith("RamDirectory: 209,715,200 bytes in "), out.toString());
  }

  @Test
  void aDirectoryOnTheHeapFails() {
    assertEquals(1, execute("--bytes=20m", "--directory=ByteBuffersDirectory"));
    assertInstanceOf(RunFailedException.class, failure);
    assertTrue(out.toString().contains(" bytes in [B"), out.toString());
  }

  @Test
  void refusesAnUnknownDirectory() {
    execute("--directory=HeapDirectory");
    assertInstanceOf(UsageException.class, failure);
  }

  private int execute(String... arguments) {
    return new CommandLine(new HeapGrowthCommand())
        .setOut(new PrintWriter(out))
        .setExecutionExceptionHandler(
            (thrown, _, _) -> {
              failure = thrown;
              return 1;
            })
        .execute(arguments);
  }
}
