// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import java.io.IOException;
import java.util.Collection;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOConsumer;
import org.apache.lucene.util.IORunnable;

/** Runs a test's step before some of its calls; a step that throws makes the call fail. */
final class SteppedDirectory extends FilterDirectory {

  /** Takes the name of the new file. */
  volatile IOConsumer<String> beforeCreate = _ -> {};

  volatile IORunnable beforeSync = () -> {};
  volatile IORunnable beforeSyncMetaData = () -> {};

  SteppedDirectory(Directory in) {
    super(in);
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    beforeCreate.accept(name);
    return in.createOutput(name, context);
  }

  @Override
  public void sync(Collection<String> names) throws IOException {
    beforeSync.run();
    in.sync(names);
  }

  @Override
  public void syncMetaData() throws IOException {
    beforeSyncMetaData.run();
    in.syncMetaData();
  }
}
