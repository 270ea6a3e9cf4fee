package io.github.lucenedirectories.testkit.ram;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.lucene.store.ByteBuffersDataInput;
import org.apache.lucene.store.ByteBuffersIndexInput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/** A directory one of whose files has other bytes than were written. */
final class DamagedSource extends FilterDirectory {

  private final String damaged;
  private final byte[] bytes;

  DamagedSource(Directory whole, String damaged, byte[] bytes) {
    super(whole);
    this.damaged = damaged;
    this.bytes = bytes;
  }

  @Override
  public long fileLength(String name) throws IOException {
    return name.equals(damaged) ? bytes.length : super.fileLength(name);
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    return name.equals(damaged)
        ? new ByteBuffersIndexInput(new ByteBuffersDataInput(List.of(ByteBuffer.wrap(bytes))), name)
        : super.openInput(name, context);
  }
}
