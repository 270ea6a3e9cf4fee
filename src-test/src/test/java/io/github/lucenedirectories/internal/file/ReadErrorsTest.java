package io.github.lucenedirectories.internal.file;

import java.io.EOFException;
import java.io.IOException;
import org.apache.lucene.tests.util.LuceneTestCase;

/** The error of a read names the file, and is of the cause's kind. */
public class ReadErrorsTest extends LuceneTestCase {

  public void testCannotRead() {
    for (IOException cause : new IOException[] {new EOFException("end"), new IOException()}) {
      IOException error = ReadErrors.cannotRead("some file", cause);
      assertSame(cause, error.getCause());
      assertSame(cause.getClass(), error.getClass());
      assertTrue(error.getMessage(), String.valueOf(error.getMessage()).contains("some file"));
    }
  }
}
