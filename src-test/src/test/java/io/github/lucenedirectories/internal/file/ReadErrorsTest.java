package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.EOFException;
import java.io.IOException;

/** The error of a read names the file, and is of the cause's kind. */
public class ReadErrorsTest extends LibraryTestCase {

  public void testCannotRead() {
    for (IOException cause : new IOException[] {new EOFException("end"), new IOException()}) {
      IOException error = ReadErrors.cannotRead("some file", cause);
      assertSame(cause, error.getCause());
      assertSame(cause.getClass(), error.getClass());
      assertTrue(error.getMessage(), String.valueOf(error.getMessage()).contains("some file"));
    }
  }
}
