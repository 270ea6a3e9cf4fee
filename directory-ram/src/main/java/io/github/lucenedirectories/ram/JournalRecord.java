// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.internal.store.FileNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.UUID;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.store.IndexInput;

/**
 * What a record of a {@link JournalFile} says: which files of an index were deleted, and then made,
 * since its last record.
 *
 * @param folder names the folder of the index, empty if it has none
 * @param previous the newest commit before, see {@link JournaledIndex#commit}
 */
record JournalRecord(
    UUID index,
    String folder,
    String previous,
    Collection<String> deleted,
    SequencedMap<String, Stored> made) {

  /** Where the journal has the contents of a file, in bytes. */
  record Stored(long offset, int length) {}

  /** Encodes a record of which the contents of the files are given. */
  static byte[] encode(
      UUID index,
      String folder,
      String previous,
      Collection<String> deleted,
      SequencedMap<String, IndexInput> made)
      throws IOException {
    ByteBuffersDataOutput output = new ByteBuffersDataOutput();
    output.writeLong(index.getMostSignificantBits());
    output.writeLong(index.getLeastSignificantBits());
    output.writeString(folder);
    output.writeString(previous);
    writeNames(output, deleted);
    writeNames(output, made.keySet());
    for (IndexInput input : made.values()) {
      output.writeVInt(Math.toIntExact(input.length()));
    }
    for (IndexInput input : made.values()) {
      output.copyBytes(input, input.length());
    }
    return output.toArrayCopy();
  }

  private static void writeNames(DataOutput output, Collection<String> names) throws IOException {
    output.writeVInt(names.size());
    for (String name : names) {
      output.writeString(name);
    }
  }

  /**
   * Decodes the record at the position of an input, and goes to its end.
   *
   * @param start where the input begins in the journal, in bytes
   * @throws IllegalArgumentException if {@link #encode} did not make it
   */
  static JournalRecord read(IndexInput input, long start) throws IOException {
    UUID index = new UUID(input.readLong(), input.readLong());
    String folder = Path.of(readString(input)).toString();
    String previous = readString(input);
    List<String> deleted = readNames(input);
    List<String> names = readNames(input);
    int[] lengths = new int[names.size()];
    for (int i = 0; i < lengths.length; i++) {
      lengths[i] = input.readVInt();
    }
    SequencedMap<String, Stored> made = new LinkedHashMap<>();
    for (int i = 0; i < lengths.length; i++) {
      made.put(names.get(i), new Stored(start + input.getFilePointer(), lengths[i]));
      input.skipBytes(lengths[i]);
    }
    return new JournalRecord(index, folder, previous, deleted, made);
  }

  private static List<String> readNames(IndexInput input) throws IOException {
    List<String> names = new ArrayList<>();
    for (int i = input.readVInt(); i > 0; i--) {
      names.add(FileNames.check(readString(input)));
    }
    return names;
  }

  /** As {@code readString}, which allocates whatever length it finds. */
  static String readString(IndexInput input) throws IOException {
    int length = input.readVInt();
    if (length < 0 || length > input.length() - input.getFilePointer()) {
      throw new IllegalArgumentException("a string ends too late: length=" + length);
    }
    byte[] bytes = new byte[length];
    input.readBytes(bytes, 0, length);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
