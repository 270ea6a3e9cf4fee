package io.github.lucenedirectories.opensearch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.lucene.store.AlreadyClosedException;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.node.DiscoveryNode;

/** The open shards of a node that use a type of the plugin. Any thread may use it. */
final class Shards {

  private static final Logger LOG = LogManager.getLogger(Shards.class);

  final NodeMemory memory;
  final Set<ShardDirectory> open = ConcurrentHashMap.newKeySet();
  private volatile boolean warm;

  Shards(NodeMemory memory, boolean warm) {
    this.memory = memory;
    this.warm = warm;
  }

  ShardDirectory add(ShardDirectory opened) {
    open.add(opened);
    warmStart(opened);
    return opened;
  }

  void remove(ShardDirectory closing) {
    open.remove(closing);
  }

  void warmStart(boolean on) {
    warm = on;
    open.forEach(this::warmStart);
  }

  /** An error costs speed only. */
  private void warmStart(ShardDirectory shard) {
    try {
      shard.warmStart(warm);
    } catch (IOException | RuntimeException e) {
      LOG.warn("no warm start: {}", shard, e);
    }
  }

  NodeStatistics statistics(DiscoveryNode node, StatisticsAction.@Nullable Question question) {
    List<ShardStatistics> all = new ArrayList<>();
    List<String> answers = new ArrayList<>();
    for (ShardDirectory shard : open) {
      try {
        if (question == null) {
          all.add(shard.statistics());
        } else if (shard.isOf(question.index(), question.shard())) {
          answers.add(shard.explain(question.file()));
        }
      } catch (AlreadyClosedException _) {
        // Closed meanwhile: no longer one of them.
      } catch (NoSuchFileException e) {
        answers.add(e.getMessage() + ": no such file");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return NodeStatistics.of(node, memory, all, answers);
  }
}
