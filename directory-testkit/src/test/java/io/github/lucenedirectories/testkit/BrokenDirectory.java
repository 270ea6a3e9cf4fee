// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.testkit.contract.CloseSuite;
import io.github.lucenedirectories.testkit.contract.InputSuite;
import io.github.lucenedirectories.testkit.contract.NamesSuite;
import io.github.lucenedirectories.testkit.durability.PowerCutSuite;
import io.github.lucenedirectories.testkit.fault.FileSystemSuite;
import io.github.lucenedirectories.testkit.model.ModelSuite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.tests.util.LuceneTestCase;

/** Lucene's MMapDirectory with one fault. */
final class BrokenDirectory extends FilterDirectory {

  /** What is wrong, and the suites that have to notice it. */
  enum Fault {
    WRONG_BYTE_AT_EDGE(ModelSuite.class),
    CLONE_SHARES_POSITION(ModelSuite.class),
    SLICE_NOT_CHECKED(InputSuite.class),
    READS_AFTER_CLOSE(CloseSuite.class),
    CLOSED_READ_THROWS_OTHERWISE(CloseSuite.class),
    WRONG_CHECKSUM(ModelSuite.class),
    SYNC_DOES_NOTHING(PowerCutSuite.class),
    SYNC_FAILURE_SWALLOWED(FileSystemSuite.class),
    SYNC_OF_MISSING_FILE_PASSES(ModelSuite.class),
    NAMES_NOT_SYNCED(PowerCutSuite.class),
    RENAME_BY_COPY(PowerCutSuite.class),
    NOT_SORTED(ModelSuite.class),
    DELETED_STAYS_LISTED(NamesSuite.class),
    WRONG_LENGTH(ModelSuite.class),
    OVERWRITES(ModelSuite.class),
    TEMPORARY_NAMES_COLLIDE(NamesSuite.class),
    NONE(
        List.of(
            ModelSuite.class,
            InputSuite.class,
            CloseSuite.class,
            NamesSuite.class,
            PowerCutSuite.class,
            FileSystemSuite.class));

    final List<Class<? extends LuceneTestCase>> suites;

    Fault(Class<? extends LuceneTestCase> suite) {
      this(List.of(suite));
    }

    Fault(List<Class<? extends LuceneTestCase>> suites) {
      this.suites = suites;
    }
  }

  private static final int EDGE_BYTES = 1_024;

  private final Path folder;
  private final Fault fault;
  private final Set<String> deleted = new HashSet<>();

  BrokenDirectory(Path folder, Fault fault) throws IOException {
    super(new MMapDirectory(folder));
    this.folder = folder;
    this.fault = fault;
  }

  @Override
  public void sync(Collection<String> names) throws IOException {
    List<String> synced = new ArrayList<>(names);
    if (fault == Fault.SYNC_OF_MISSING_FILE_PASSES) {
      synced.retainAll(List.of(in.listAll()));
    }
    try {
      in.sync(fault == Fault.SYNC_DOES_NOTHING ? List.of() : synced);
    } catch (IOException e) {
      if (fault != Fault.SYNC_FAILURE_SWALLOWED) {
        throw e;
      }
    }
  }

  @Override
  public void syncMetaData() throws IOException {
    if (fault != Fault.NAMES_NOT_SYNCED) {
      in.syncMetaData();
    }
  }

  @Override
  public void rename(String source, String dest) throws IOException {
    if (fault == Fault.RENAME_BY_COPY) {
      in.copyFrom(in, source, dest, IOContext.DEFAULT);
      in.deleteFile(source);
    } else {
      in.rename(source, dest);
    }
  }

  @Override
  public String[] listAll() throws IOException {
    List<String> names = new ArrayList<>(List.of(in.listAll()));
    names.addAll(deleted);
    return (fault == Fault.NOT_SORTED ? names.reversed() : names).toArray(String[]::new);
  }

  @Override
  public void deleteFile(String name) throws IOException {
    in.deleteFile(name);
    if (fault == Fault.DELETED_STAYS_LISTED) {
      deleted.add(name);
    }
  }

  @Override
  public long fileLength(String name) throws IOException {
    return fault == Fault.WRONG_LENGTH ? in.fileLength(name) | 1 : in.fileLength(name);
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    if (fault == Fault.OVERWRITES || fault == Fault.TEMPORARY_NAMES_COLLIDE) {
      Files.deleteIfExists(folder.resolve(name));
    }
    IndexOutput out = in.createOutput(name, context);
    if (fault != Fault.WRONG_CHECKSUM) {
      return out;
    }
    return new FilterIndexOutput("wrong checksum", name, out) {
      @Override
      public long getChecksum() throws IOException {
        return out.getChecksum() + 1;
      }
    };
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    return fault == Fault.TEMPORARY_NAMES_COLLIDE
        ? createOutput(prefix + "_" + suffix + "_0.tmp", context)
        : in.createTempOutput(prefix, suffix, context);
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    IndexInput opened = in.openInput(name, context);
    return switch (fault) {
      case WRONG_BYTE_AT_EDGE,
          CLONE_SHARES_POSITION,
          SLICE_NOT_CHECKED,
          READS_AFTER_CLOSE,
          CLOSED_READ_THROWS_OTHERWISE ->
          new BrokenInput(opened, fault);
      default -> opened;
    };
  }

  /** An input with one fault. */
  private static final class BrokenInput extends FilterIndexInput {
    private final Fault fault;

    BrokenInput(IndexInput in, Fault fault) {
      super("broken " + in, in);
      this.fault = fault;
    }

    @Override
    public byte readByte() throws IOException {
      try {
        byte read = in.readByte();
        boolean edge = in.getFilePointer() % EDGE_BYTES == 0;
        return fault == Fault.WRONG_BYTE_AT_EDGE && edge ? (byte) (read + 1) : read;
      } catch (AlreadyClosedException e) {
        if (fault == Fault.CLOSED_READ_THROWS_OTHERWISE) {
          throw new IllegalStateException("closed", e);
        }
        throw e;
      }
    }

    @Override
    public void readBytes(byte[] bytes, int offset, int length) throws IOException {
      for (int i = 0; i < length; i++) {
        bytes[offset + i] = readByte();
      }
    }

    @Override
    public IndexInput clone() {
      return new BrokenInput(fault == Fault.CLONE_SHARES_POSITION ? in : in.clone(), fault);
    }

    @Override
    public IndexInput slice(String name, long offset, long length) throws IOException {
      long first = offset;
      long count = length;
      if (fault == Fault.SLICE_NOT_CHECKED) {
        first = Math.clamp(offset, 0, in.length());
        count = Math.clamp(length, 0, in.length() - first);
      }
      return new BrokenInput(in.slice(name, first, count), fault);
    }

    @Override
    public void close() throws IOException {
      if (fault != Fault.READS_AFTER_CLOSE) {
        in.close();
      }
    }
  }
}
