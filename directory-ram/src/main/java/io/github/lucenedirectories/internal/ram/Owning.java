package io.github.lucenedirectories.internal.ram;

import java.io.Closeable;
import java.io.IOException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.util.IOUtils;

/** A directory that closes what it was made of, after itself. */
final class Owning extends FilterDirectory {

  private final Closeable owned;

  Owning(Directory directory, Closeable owned) {
    super(directory);
    this.owned = owned;
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(in, owned);
  }
}
