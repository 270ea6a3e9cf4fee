// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch.vectors;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.search.Query;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.mapper.ParametrizedFieldMapper;
import org.opensearch.index.mapper.ParseContext;
import org.opensearch.index.mapper.TextSearchInfo;
import org.opensearch.index.mapper.ValueFetcher;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.search.lookup.SearchLookup;

/** Indexes a vector in the codec's default format. */
final class VectorMapper extends ParametrizedFieldMapper {
  static final String TYPE = "vector";
  static final TypeParser PARSER = new TypeParser((name, _) -> new Builder(name));

  private VectorMapper(String name, MappedFieldType type, MultiFields fields, CopyTo copyTo) {
    super(name, type, fields, copyTo);
  }

  private static final class Builder extends ParametrizedFieldMapper.Builder {
    Builder(String name) {
      super(name);
    }

    @Override
    protected List<Parameter<?>> getParameters() {
      return List.of();
    }

    @Override
    public VectorMapper build(BuilderContext context) {
      return new VectorMapper(
          name,
          new Type(buildFullName(context)),
          multiFieldsBuilder.build(this, context),
          copyTo.build());
    }
  }

  private static final class Type extends MappedFieldType {
    Type(String name) {
      super(name, true, false, false, TextSearchInfo.NONE, Map.of());
    }

    @Override
    public String typeName() {
      return TYPE;
    }

    @Override
    public ValueFetcher valueFetcher(
        QueryShardContext context, SearchLookup lookup, String format) {
      throw new UnsupportedOperationException("vectors are not fetched");
    }

    @Override
    public Query termQuery(Object value, QueryShardContext context) {
      throw new UnsupportedOperationException("search vectors by " + NearestQueryBuilder.NAME);
    }
  }

  @Override
  public ParametrizedFieldMapper.Builder getMergeBuilder() {
    return new Builder(simpleName()).init(this);
  }

  @Override
  protected void parseCreateField(ParseContext context) throws IOException {
    float[] vector = VectorsPlugin.floats(context.parser().binaryValue());
    context.doc().add(new KnnFloatVectorField(name(), vector, VectorSimilarityFunction.EUCLIDEAN));
  }

  @Override
  protected String contentType() {
    return TYPE;
  }
}
