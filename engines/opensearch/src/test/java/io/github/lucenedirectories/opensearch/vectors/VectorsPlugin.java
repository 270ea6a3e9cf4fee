// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch.vectors;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.opensearch.index.mapper.Mapper;
import org.opensearch.plugins.MapperPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.SearchPlugin;

/** Adds the field type {@code vector} and the query {@code nearest}. */
public final class VectorsPlugin extends Plugin implements MapperPlugin, SearchPlugin {

  @Override
  public Map<String, Mapper.TypeParser> getMappers() {
    return Map.of(VectorMapper.TYPE, VectorMapper.PARSER);
  }

  @Override
  public List<QuerySpec<?>> getQueries() {
    return List.of(
        new QuerySpec<>(
            NearestQueryBuilder.NAME, NearestQueryBuilder::new, NearestQueryBuilder::parse));
  }

  /** A vector in a request is its floats, big-endian, in base 64. */
  static float[] floats(byte[] bytes) {
    float[] vector = new float[bytes.length / Float.BYTES];
    ByteBuffer.wrap(bytes).asFloatBuffer().get(vector);
    return vector;
  }
}
