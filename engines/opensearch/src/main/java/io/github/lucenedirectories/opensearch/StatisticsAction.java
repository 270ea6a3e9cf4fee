// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionType;
import org.opensearch.action.FailedNodeException;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.nodes.BaseNodesRequest;
import org.opensearch.action.support.nodes.BaseNodesResponse;
import org.opensearch.action.support.nodes.TransportNodesAction;
import org.opensearch.cluster.ClusterName;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/** Asks all nodes for their statistics, or how they read a file. */
public final class StatisticsAction extends ActionType<StatisticsAction.Response> {

  static final String NAME = "cluster:monitor/directories/stats";

  static final StatisticsAction INSTANCE = new StatisticsAction();

  private StatisticsAction() {
    super(NAME, Response::new);
  }

  /** Asks all nodes for their statistics or, if there is a file, how it is read. */
  public static final class Request extends BaseNodesRequest<Request> {
    final String index;
    final int shard;
    final @Nullable String file;

    /** Asks for statistics if {@code file} is null. */
    Request(String index, int shard, @Nullable String file) {
      super(new String[0]);
      this.index = index;
      this.shard = shard;
      this.file = file;
    }

    Request(StreamInput in) throws IOException {
      super(in);
      index = in.readString();
      shard = in.readVInt();
      file = in.readOptionalString();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      out.writeString(index);
      out.writeVInt(shard);
      out.writeOptionalString(file);
    }
  }

  /** The nodes' answers. */
  public static final class Response extends BaseNodesResponse<NodeStatistics>
      implements ToXContentFragment {

    Response(ClusterName cluster, List<NodeStatistics> nodes, List<FailedNodeException> failures) {
      super(cluster, nodes, failures);
    }

    Response(StreamInput in) throws IOException {
      super(in);
    }

    @Override
    protected List<NodeStatistics> readNodesFrom(StreamInput in) throws IOException {
      return in.readList(NodeStatistics::new);
    }

    @Override
    protected void writeNodesTo(StreamOutput out, List<NodeStatistics> nodes) throws IOException {
      out.writeList(nodes);
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder.startObject("nodes");
      for (NodeStatistics node : getNodes()) {
        builder.startObject(node.getNode().getId());
        node.toXContent(builder, params);
        builder.endObject();
      }
      return builder.endObject();
    }
  }

  /** Runs on the node that was asked, and on each that it asks. */
  public static final class Transport
      extends TransportNodesAction<Request, Response, Request, NodeStatistics> {
    private final Shards shards;

    /** Called by the node. */
    @Inject
    public Transport(
        ThreadPool threads,
        ClusterService cluster,
        TransportService transport,
        ActionFilters filters,
        Shards shards) {
      super(
          NAME,
          threads,
          cluster,
          transport,
          filters,
          Request::new,
          Request::new,
          ThreadPool.Names.MANAGEMENT,
          NodeStatistics.class);
      this.shards = shards;
    }

    @Override
    protected Response newResponse(
        Request request, List<NodeStatistics> nodes, List<FailedNodeException> failures) {
      return new Response(clusterService.getClusterName(), nodes, failures);
    }

    @Override
    protected Request newNodeRequest(Request request) {
      return new Request(request.index, request.shard, request.file);
    }

    @Override
    protected NodeStatistics newNodeResponse(StreamInput in) throws IOException {
      return new NodeStatistics(in);
    }

    @Override
    protected NodeStatistics nodeOperation(Request request) {
      return shards.statistics(clusterService.localNode(), request);
    }
  }
}
