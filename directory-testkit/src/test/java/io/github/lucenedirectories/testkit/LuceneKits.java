// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.lucene.misc.store.DirectIODirectory;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.store.NRTCachingDirectory;
import org.apache.lucene.util.IOFunction;

/**
 * Lucene's own directories, for the table in docs/guide/testkit.md: run by name alone. With {@code
 * -Dtestkit.strict=true} they promise more than Lucene asks.
 */
public final class LuceneKits {

  private LuceneKits() {}

  abstract static class Kit extends DirectoryTestKit {
    private final IOFunction<Path, Directory> opener;
    private final Set<Promise> without;

    Kit(IOFunction<Path, Directory> opener, Promise... without) {
      this.opener = opener;
      this.without = Set.of(without);
    }

    @Override
    public Directory open(Path path) throws IOException {
      return opener.apply(path);
    }

    @Override
    public Set<Promise> promises() {
      boolean strict = Boolean.getBoolean("testkit.strict");
      Set<Promise> promises = strict ? EnumSet.allOf(Promise.class) : Promise.contract();
      promises.removeAll(without);
      return promises;
    }
  }

  /** Memory-mapped files. */
  public static class MMap extends Kit {
    public MMap() {
      super(MMapDirectory::new);
    }
  }

  /** Positional reads. */
  public static class Niofs extends Kit {
    public Niofs() {
      super(NIOFSDirectory::new);
    }
  }

  /** On the heap. */
  public static class ByteBuffers extends Kit {
    public ByteBuffers() {
      super(_ -> new ByteBuffersDirectory(), Promise.FILES, Promise.DURABLE);
    }
  }

  /** Small new files on the heap. */
  public static class NrtCaching extends Kit {
    public NrtCaching() {
      super(path -> new NRTCachingDirectory(new MMapDirectory(path), 5, 60), Promise.FILES);
    }
  }

  /** Past the page cache, here for every file. */
  public static class DirectIo extends Kit {
    public DirectIo() {
      super(
          path ->
              new DirectIODirectory(new MMapDirectory(path)) {
                @Override
                protected boolean useDirectIO(String name, IOContext context, OptionalLong size) {
                  return true;
                }
              });
    }
  }
}
