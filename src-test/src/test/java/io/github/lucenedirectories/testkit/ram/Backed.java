package io.github.lucenedirectories.testkit.ram;

import io.github.lucenedirectories.ram.RamDirectory;
import io.github.lucenedirectories.testkit.durability.DurableRun;
import java.io.IOException;
import org.apache.lucene.store.Directory;

/** Ways to open a {@link RamDirectory} over its backing, with a limit that fits a small test. */
enum Backed {
  /** Files reach the backing by sync alone. */
  AT_SYNC {
    @Override
    RamDirectory open(Directory backing) throws IOException {
      return builder(backing).build();
    }
  },
  /** Every file begins to be written to the backing when it is closed. */
  WRITE_BEHIND {
    @Override
    RamDirectory open(Directory backing) throws IOException {
      return builder(backing).writeBehindBytes(1).build();
    }
  };

  private static final long LIMIT_BYTES = 64L << 20;

  abstract RamDirectory open(Directory backing) throws IOException;

  DurableRun.Opener opener() {
    return this::open;
  }

  private static RamDirectory.Builder builder(Directory backing) {
    return RamDirectory.builder().backing(backing).maxBytes(LIMIT_BYTES);
  }
}
