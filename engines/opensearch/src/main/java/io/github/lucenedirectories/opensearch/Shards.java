// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.lucene.store.AlreadyClosedException;
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

  /** Changes all open shards, on another thread. */
  void warmStart(boolean on, Executor executor) {
    warm = on;
    executor.execute(this::warmStart);
  }

  private synchronized void warmStart() {
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

  NodeStatistics statistics(DiscoveryNode node, StatisticsAction.Request request) {
    List<ShardStatistics> all = new ArrayList<>();
    List<String> answers = new ArrayList<>();
    for (ShardDirectory shard : open) {
      try {
        if (request.file == null) {
          all.add(shard.statistics());
        } else if (shard.isOf(request.index, request.shard)) {
          answers.add(shard.explain(request.file));
        }
      } catch (AlreadyClosedException _) {
        // Closed meanwhile: no longer one of them.
      } catch (NoSuchFileException e) {
        answers.add(e.getMessage() + ": no such file");
      } catch (IOException | IllegalArgumentException e) {
        answers.add(String.valueOf(e.getMessage()));
        LOG.warn("no answer from {}", shard, e);
      }
    }
    return NodeStatistics.of(node, memory, all, answers);
  }
}
