// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch;

import java.util.List;
import org.opensearch.common.Table;
import org.opensearch.core.common.unit.ByteSizeValue;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.rest.action.RestActions.NodesResponseRestListener;
import org.opensearch.rest.action.RestBuilderListener;
import org.opensearch.rest.action.RestResponseListener;
import org.opensearch.rest.action.cat.AbstractCatAction;
import org.opensearch.rest.action.cat.RestTable;
import org.opensearch.transport.client.node.NodeClient;

/** What the plugin adds to the REST interface. */
final class RestHandlers {

  private RestHandlers() {}

  static List<RestHandler> all() {
    return List.of(new Statistics(), new Explanation(), new Cat());
  }

  private static final class Statistics extends BaseRestHandler {
    @Override
    public String getName() {
      return "directories_stats";
    }

    @Override
    public List<Route> routes() {
      return List.of(new Route(RestRequest.Method.GET, "/_directories/stats"));
    }

    @Override
    protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
      return channel ->
          client.execute(
              StatisticsAction.INSTANCE,
              new StatisticsAction.Request("", 0, null),
              new NodesResponseRestListener<>(channel));
    }
  }

  private static final class Explanation extends BaseRestHandler {
    @Override
    public String getName() {
      return "directories_explain";
    }

    @Override
    public List<Route> routes() {
      return List.of(
          new Route(RestRequest.Method.GET, "/_directories/{index}/{shard}/explain/{file}"));
    }

    @Override
    protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
      StatisticsAction.Request question =
          new StatisticsAction.Request(
              request.param("index"), request.paramAsInt("shard", 0), request.param("file"));
      return channel ->
          client.execute(
              StatisticsAction.INSTANCE,
              question,
              new RestBuilderListener<StatisticsAction.Response>(channel) {
                @Override
                public RestResponse buildResponse(
                    StatisticsAction.Response response, XContentBuilder builder) throws Exception {
                  boolean found = false;
                  builder.startObject();
                  for (NodeStatistics node : response.getNodes()) {
                    for (String answer : node.answers) {
                      builder.field(node.getNode().getName(), answer);
                      found = true;
                    }
                  }
                  if (!found) {
                    builder.field(
                        "error", "no node has this shard with a store type of this plugin");
                  }
                  builder.endObject();
                  return new BytesRestResponse(
                      found ? RestStatus.OK : RestStatus.NOT_FOUND, builder);
                }
              });
    }
  }

  private static final class Cat extends AbstractCatAction {
    @Override
    public String getName() {
      return "cat_directories";
    }

    @Override
    public List<Route> routes() {
      return List.of(new Route(RestRequest.Method.GET, "/_cat/directories"));
    }

    @Override
    protected void documentation(StringBuilder text) {
      text.append("/_cat/directories\n");
    }

    @Override
    protected Table getTableWithHeader(RestRequest request) {
      Table table = new Table();
      table.startHeaders();
      table.addCell("index", "alias:i;desc:name of the index");
      table.addCell("shard", "alias:s;text-align:right;desc:number of the shard");
      table.addCell("node", "alias:n;desc:name of the node");
      table.addCell("type", "alias:t;desc:store type");
      table.addCell("files", "alias:f;text-align:right;desc:number of files");
      table.addCell("size", "alias:b;text-align:right;desc:length of the files");
      table.addCell("resident", "alias:r;text-align:right;desc:how much of it is in memory");
      table.addCell("ram", "alias:m;text-align:right;desc:memory of this shard alone");
      table.endHeaders();
      return table;
    }

    @Override
    protected RestChannelConsumer doCatRequest(RestRequest request, NodeClient client) {
      return channel ->
          client.execute(
              StatisticsAction.INSTANCE,
              new StatisticsAction.Request("", 0, null),
              new RestResponseListener<StatisticsAction.Response>(channel) {
                @Override
                public RestResponse buildResponse(StatisticsAction.Response response)
                    throws Exception {
                  Table table = getTableWithHeader(request);
                  for (NodeStatistics node : response.getNodes()) {
                    node.shards.forEach(shard -> addRow(table, node.getNode().getName(), shard));
                  }
                  return RestTable.buildResponse(table, channel);
                }
              });
    }

    private static void addRow(Table table, String node, ShardStatistics shard) {
      table.startRow();
      table.addCell(shard.shard().getIndexName());
      table.addCell(shard.shard().id());
      table.addCell(node);
      table.addCell(shard.type());
      table.addCell(shard.files());
      table.addCell(new ByteSizeValue(shard.bytes()));
      table.addCell(shard.residentBytes() < 0 ? null : new ByteSizeValue(shard.residentBytes()));
      table.addCell(new ByteSizeValue(shard.ramBytes()));
      table.endRow();
    }
  }
}
