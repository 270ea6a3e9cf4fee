// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch.vectors;

import java.io.IOException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.Query;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.AbstractQueryBuilder;
import org.opensearch.index.query.QueryShardContext;

/** {@code {"nearest": {"field": "vector", "vector": "base 64", "k": 10}}}: {@code k} a shard. */
final class NearestQueryBuilder extends AbstractQueryBuilder<NearestQueryBuilder> {
  static final String NAME = "nearest";

  private final String field;
  private final byte[] vector;
  private final int k;

  private NearestQueryBuilder(String field, byte[] vector, int k) {
    this.field = field;
    this.vector = vector;
    this.k = k;
  }

  NearestQueryBuilder(StreamInput in) throws IOException {
    super(in);
    field = in.readString();
    vector = in.readByteArray();
    k = in.readVInt();
  }

  static NearestQueryBuilder parse(XContentParser parser) throws IOException {
    Map<String, Object> fields = parser.map();
    return new NearestQueryBuilder(
        (String) Objects.requireNonNull(fields.get("field")),
        Base64.getDecoder().decode((String) Objects.requireNonNull(fields.get("vector"))),
        (Integer) Objects.requireNonNull(fields.get("k")));
  }

  @Override
  protected void doWriteTo(StreamOutput out) throws IOException {
    out.writeString(field);
    out.writeByteArray(vector);
    out.writeVInt(k);
  }

  @Override
  protected void doXContent(XContentBuilder builder, Params params) throws IOException {
    builder.startObject(NAME);
    builder.field("field", field).field("vector", vector).field("k", k);
    builder.endObject();
  }

  @Override
  protected Query doToQuery(QueryShardContext context) {
    return new KnnFloatVectorQuery(field, VectorsPlugin.floats(vector), k);
  }

  @Override
  protected boolean doEquals(NearestQueryBuilder other) {
    return field.equals(other.field) && Arrays.equals(vector, other.vector) && k == other.k;
  }

  @Override
  protected int doHashCode() {
    return Objects.hash(field, Arrays.hashCode(vector), k);
  }

  @Override
  public String getWriteableName() {
    return NAME;
  }
}
