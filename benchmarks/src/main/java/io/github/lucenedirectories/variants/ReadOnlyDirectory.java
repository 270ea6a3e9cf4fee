// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.variants;

import java.util.Collection;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;

/**
 * A view of a directory through which nothing can be written; its inputs are the directory's own.
 */
public class ReadOnlyDirectory extends FilterDirectory {

  /** A view of {@code in}, which it closes. */
  public ReadOnlyDirectory(Directory in) {
    super(in);
  }

  @Override
  public void deleteFile(String name) {
    throw refused();
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) {
    throw refused();
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context) {
    throw refused();
  }

  @Override
  public void sync(Collection<String> names) {
    throw refused();
  }

  @Override
  public void syncMetaData() {
    throw refused();
  }

  @Override
  public void rename(String source, String dest) {
    throw refused();
  }

  @Override
  public void copyFrom(Directory from, String src, String dest, IOContext context) {
    throw refused();
  }

  @Override
  public Lock obtainLock(String name) {
    throw refused();
  }

  private UnsupportedOperationException refused() {
    return new UnsupportedOperationException("read-only: " + this);
  }
}
