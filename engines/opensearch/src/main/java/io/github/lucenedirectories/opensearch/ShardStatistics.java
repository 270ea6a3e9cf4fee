// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch;

import java.io.IOException;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * What the directory of a shard holds.
 *
 * @param type its {@code index.store.type}
 * @param residentBytes how many of the bytes are in memory; -1 if the system does not tell
 * @param ramBytes memory outside the heap that only this shard uses
 */
record ShardStatistics(
    ShardId shard, String type, int files, long bytes, long residentBytes, long ramBytes)
    implements Writeable, ToXContentObject {

  ShardStatistics(StreamInput in) throws IOException {
    this(
        new ShardId(in),
        in.readString(),
        in.readVInt(),
        in.readVLong(),
        in.readZLong(),
        in.readVLong());
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    shard.writeTo(out);
    out.writeString(type);
    out.writeVInt(files);
    out.writeVLong(bytes);
    out.writeZLong(residentBytes);
    out.writeVLong(ramBytes);
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    builder.startObject().field("index", shard.getIndexName()).field("shard", shard.id());
    builder.field("type", type).field("files", files).field("bytes", bytes);
    if (residentBytes >= 0) {
      builder.field("resident_bytes", residentBytes);
    }
    return builder.field("ram_bytes", ramBytes).endObject();
  }
}
