// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch;

import io.github.lucenedirectories.cache.BlockCache;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.opensearch.action.support.nodes.BaseNodeResponse;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;

/** What a node's shards, block cache and budget of memory hold, or its answers to a question. */
final class NodeStatistics extends BaseNodeResponse implements ToXContentFragment {

  final List<ShardStatistics> shards;
  final List<String> answers;

  /** Most and used bytes of RAM shards; the same of the cache, its hits, misses, evictions. */
  private final long[] memory;

  private NodeStatistics(
      DiscoveryNode node, List<ShardStatistics> shards, List<String> answers, long[] memory) {
    super(node);
    this.shards = shards;
    this.answers = answers;
    this.memory = memory;
  }

  NodeStatistics(StreamInput in) throws IOException {
    super(in);
    shards = in.readList(ShardStatistics::new);
    answers = in.readStringList();
    memory = in.readVLongArray();
  }

  static NodeStatistics of(
      DiscoveryNode node, NodeMemory memory, List<ShardStatistics> shards, List<String> answers) {
    Map<String, Double> metrics = memory.cacheInUse().map(BlockCache::metrics).orElse(Map.of());
    LongStream cache =
        Stream.of("max.bytes", "used.bytes", "hits", "misses", "evictions")
            .mapToLong(metric -> metrics.getOrDefault("cache." + metric, 0d).longValue());
    LongStream ram = LongStream.of(memory.ram().maxBytes(), memory.ram().usedBytes());
    return new NodeStatistics(node, shards, answers, LongStream.concat(ram, cache).toArray());
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    super.writeTo(out);
    out.writeList(shards);
    out.writeStringCollection(answers);
    out.writeVLongArray(memory);
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    builder.field("name", getNode().getName());
    builder.startObject("ram").field("max_bytes", memory[0]).field("used_bytes", memory[1]);
    builder.endObject();
    builder.startObject("cache").field("max_bytes", memory[2]).field("used_bytes", memory[3]);
    builder.field("hits", memory[4]).field("misses", memory[5]).field("evictions", memory[6]);
    builder.endObject();
    return builder.field("shards", shards);
  }
}
