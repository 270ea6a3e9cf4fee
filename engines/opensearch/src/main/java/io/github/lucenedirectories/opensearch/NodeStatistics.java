package io.github.lucenedirectories.opensearch;

import io.github.lucenedirectories.ram.BlockCache;
import java.io.IOException;
import java.util.List;
import java.util.Map;
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
  private final long ramMaxBytes;
  private final long ramUsedBytes;

  /** In this order: most and used bytes, hits, misses, evictions. */
  private final long[] cache;

  private NodeStatistics(
      DiscoveryNode node,
      List<ShardStatistics> shards,
      List<String> answers,
      long ramMaxBytes,
      long ramUsedBytes,
      long[] cache) {
    super(node);
    this.shards = shards;
    this.answers = answers;
    this.ramMaxBytes = ramMaxBytes;
    this.ramUsedBytes = ramUsedBytes;
    this.cache = cache;
  }

  NodeStatistics(StreamInput in) throws IOException {
    super(in);
    shards = in.readList(ShardStatistics::new);
    answers = in.readStringList();
    ramMaxBytes = in.readVLong();
    ramUsedBytes = in.readVLong();
    cache = in.readVLongArray();
  }

  static NodeStatistics of(
      DiscoveryNode node, NodeMemory memory, List<ShardStatistics> shards, List<String> answers) {
    Map<String, Double> figures = memory.cacheInUse().map(BlockCache::figures).orElse(Map.of());
    long[] cache =
        Stream.of("max.bytes", "used.bytes", "hits", "misses", "evictions")
            .mapToLong(figure -> figures.getOrDefault("cache." + figure, 0d).longValue())
            .toArray();
    return new NodeStatistics(
        node, shards, answers, memory.ram().maxBytes(), memory.ram().usedBytes(), cache);
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    super.writeTo(out);
    out.writeList(shards);
    out.writeStringCollection(answers);
    out.writeVLong(ramMaxBytes);
    out.writeVLong(ramUsedBytes);
    out.writeVLongArray(cache);
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    builder.field("name", getNode().getName());
    builder.startObject("ram").field("max_bytes", ramMaxBytes).field("used_bytes", ramUsedBytes);
    builder.endObject();
    builder.startObject("cache").field("max_bytes", cache[0]).field("used_bytes", cache[1]);
    builder.field("hits", cache[2]).field("misses", cache[3]).field("evictions", cache[4]);
    builder.endObject();
    return builder.field("shards", shards);
  }
}
