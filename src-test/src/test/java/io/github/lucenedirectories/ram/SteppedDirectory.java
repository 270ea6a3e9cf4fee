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

/** Runs a test's steps before and after some of its calls; one that throws makes the call fail. */
final class SteppedDirectory extends FilterDirectory {

  /** Takes the name of the new file. */
  volatile IOConsumer<String> beforeCreate = _ -> {};

  volatile IOConsumer<String> afterCreate = _ -> {};
  volatile IORunnable beforeSync = () -> {};
  volatile IORunnable beforeSyncMetaData = () -> {};

  /** These run once. */
  volatile IORunnable afterSyncMetaData = () -> {};

  volatile IORunnable afterListAll = () -> {};

  SteppedDirectory(Directory in) {
    super(in);
  }

  @Override
  public String[] listAll() throws IOException {
    String[] names = in.listAll();
    IORunnable once = afterListAll;
    afterListAll = () -> {};
    once.run();
    return names;
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    beforeCreate.accept(name);
    IndexOutput output = in.createOutput(name, context);
    afterCreate.accept(name);
    return output;
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
    IORunnable once = afterSyncMetaData;
    afterSyncMetaData = () -> {};
    once.run();
  }
}
