// SPDX-License-Identifier: Apache-2.0
// Stands in for the native libraries of OpenSearch's k-NN plugin, which no Maven artifact holds: the functions that its HNSW fields
// of space l2 call, over a packaged Faiss. Graphs and files are Faiss's own. One library for all of the plugin's names:
//   g++ -O2 -shared -fPIC -I$JAVA_HOME/include -I$JAVA_HOME/include/linux knn.cpp -lfaiss -lopenblas -lgomp -o libopensearchknn.so
#include <faiss/IndexBinaryFlat.h>
#include <faiss/IndexBinaryHNSW.h>
#include <faiss/IndexHNSW.h>
#include <faiss/IndexIDMap.h>
#include <faiss/impl/io.h>
#include <faiss/index_factory.h>
#include <faiss/index_io.h>
#include <jni.h>
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#define FAISS(type, name) extern "C" JNIEXPORT type JNICALL Java_org_opensearch_knn_jni_FaissService_##name
#define COMMONS(type, name) extern "C" JNIEXPORT type JNICALL Java_org_opensearch_knn_jni_JNICommons_##name
#define SIMD(type, name) extern "C" JNIEXPORT type JNICALL Java_org_opensearch_knn_jni_SimdVectorComputeService_##name

namespace {

constexpr int CHUNK = 65536;  // of the plugin's buffers
using idx_t = faiss::Index::idx_t;

// Runs something whose errors become Java's; one that Java has thrown stays.
template <typename R, typename F>
R checked(JNIEnv* env, F body) {
  try {
    return body();
  } catch (const std::exception& e) {
    if (!env->ExceptionCheck()) {
      env->ThrowNew(env->FindClass("java/lang/RuntimeException"), e.what());
    }
    return R();
  }
}

jbyteArray buffer(JNIEnv* env, jobject stream) {
  return (jbyteArray)env->GetObjectField(stream, env->GetFieldID(env->GetObjectClass(stream), "buffer", "[B"));
}

struct Output : faiss::IOWriter {
  JNIEnv* env;
  jobject stream;
  Output(JNIEnv* env, jobject stream) : env(env), stream(stream) {}
  size_t operator()(const void* from, size_t size, size_t items) override {
    jbyteArray bytes = buffer(env, stream);
    jmethodID write = env->GetMethodID(env->GetObjectClass(stream), "writeBytes", "(I)V");
    for (size_t done = 0; done < size * items;) {
      jsize n = std::min<size_t>(CHUNK, size * items - done);
      env->SetByteArrayRegion(bytes, 0, n, (const jbyte*)from + done);
      env->CallVoidMethod(stream, write, n);
      if (env->ExceptionCheck()) throw std::runtime_error("write");
      done += n;
    }
    env->DeleteLocalRef(bytes);
    return items;
  }
};

struct Input : faiss::IOReader {
  JNIEnv* env;
  jobject stream;
  Input(JNIEnv* env, jobject stream) : env(env), stream(stream) {}
  size_t operator()(void* to, size_t size, size_t items) override {
    jbyteArray bytes = buffer(env, stream);
    jmethodID read = env->GetMethodID(env->GetObjectClass(stream), "copyBytes", "(J)I");
    for (size_t done = 0; done < size * items;) {
      jint n = env->CallIntMethod(stream, read, (jlong)(size * items - done));
      if (env->ExceptionCheck()) throw std::runtime_error("read");
      env->GetByteArrayRegion(bytes, 0, n, (jbyte*)to + done);
      done += n;
    }
    env->DeleteLocalRef(bytes);
    return items;
  }
};

// What a map has for a key, as text, or nothing.
std::string get(JNIEnv* env, jobject map, const char* key) {
  jmethodID get = env->GetMethodID(env->FindClass("java/util/Map"), "get", "(Ljava/lang/Object;)Ljava/lang/Object;");
  jobject value = map ? env->CallObjectMethod(map, get, env->NewStringUTF(key)) : nullptr;
  if (!value) return "";
  jmethodID text = env->GetMethodID(env->FindClass("java/lang/Object"), "toString", "()Ljava/lang/String;");
  jstring string = (jstring)env->CallObjectMethod(value, text);
  const char* chars = env->GetStringUTFChars(string, nullptr);
  std::string result(chars);
  env->ReleaseStringUTFChars(string, chars);
  return result;
}

std::vector<idx_t> ids(JNIEnv* env, jintArray from, jsize n) {
  std::vector<jint> ints(n);
  env->GetIntArrayRegion(from, 0, n, ints.data());
  return {ints.begin(), ints.end()};
}

jobjectArray results(JNIEnv* env, const std::vector<float>& distances, const std::vector<idx_t>& labels) {
  jsize n = std::find(labels.begin(), labels.end(), -1) - labels.begin();
  jclass type = env->FindClass("org/opensearch/knn/index/query/KNNQueryResult");
  jmethodID init = env->GetMethodID(type, "<init>", "(IF)V");
  jobjectArray array = env->NewObjectArray(n, type, nullptr);
  for (jsize i = 0; i < n; i++) {
    jobject hit = env->NewObject(type, init, (jint)labels[i], (jfloat)distances[i]);
    env->SetObjectArrayElement(array, i, hit);
    env->DeleteLocalRef(hit);
  }
  return array;
}

// Vectors of one bit a dimension, with corrections that only scoring uses: the graph is built by their Hamming distance.
struct Coded {
  faiss::IndexBinaryIDMap* map;
  std::vector<uint8_t> codes;
};

struct Context {
  std::vector<uint8_t> query;
  float lower, upper, additional;
  int sum, dimension;
  std::vector<jlong> address;
};
thread_local Context context;

// As Lucene's Lucene104ScalarQuantizedVectorScorer, for a query of four bits and vectors of one.
float score(int id) {
  size_t length = context.query.size() / 4, stride = length + 16;
  std::vector<uint8_t> vector(stride);
  size_t start = 0, wanted = id * stride, done = 0;
  for (size_t i = 0; i < context.address.size() && done < stride; i += 2) {
    size_t size = context.address[i + 1];
    if (wanted + done < start + size) {
      size_t n = std::min(stride - done, start + size - wanted - done);
      memcpy(vector.data() + done, (uint8_t*)context.address[i] + (wanted + done - start), n);
      done += n;
    }
    start += size;
  }
  float corrections[3];
  int ones;
  memcpy(corrections, vector.data() + length, 12);
  memcpy(&ones, vector.data() + length + 12, 4);
  long dot = 0;
  for (int bit = 0; bit < 4; bit++) {
    for (size_t i = 0; i < length; i++) dot += (long)__builtin_popcount(context.query[bit * length + i] & vector[i]) << bit;
  }
  float ax = corrections[0], lx = corrections[1] - ax, ay = context.lower, ly = (context.upper - ay) / 15;
  float product = ax * ay * context.dimension + ay * lx * ones + ax * ly * context.sum + lx * ly * dot;
  return std::max(1 / (1 + std::max(context.additional + corrections[2] - 2 * product, 0.0f)), 0.0f);
}

}  // namespace

FAISS(void, initLibrary)(JNIEnv*, jclass) {}
FAISS(void, setMergeInterruptCallback)(JNIEnv*, jclass) {}
FAISS(jboolean, isSharedIndexStateRequired)(JNIEnv*, jclass, jlong) { return false; }

FAISS(jlong, initIndex)(JNIEnv* env, jclass, jlong, jint dimension, jobject parameters) {
  return checked<jlong>(env, [&] {
    std::string description = get(env, parameters, "index_description");
    auto* map = new faiss::IndexIDMap(faiss::index_factory(dimension, description.c_str(), faiss::METRIC_L2));
    faiss::HNSW& graph = dynamic_cast<faiss::IndexHNSW&>(*map->index).hnsw;
    graph.efConstruction = graph.efSearch = 100;  // as the plugin's defaults
    map->own_fields = true;
    return (jlong)map;
  });
}

FAISS(void, insertToIndex)(JNIEnv* env, jclass, jintArray docs, jlong vectors, jint, jlong index, jint) {
  checked<int>(env, [&] {
    omp_set_num_threads(1);  // so that the same vectors have the same graph
    jsize n = env->GetArrayLength(docs);
    ((faiss::IndexIDMap*)index)->add_with_ids(n, ((std::vector<float>*)vectors)->data(), ids(env, docs, n).data());
    return 0;
  });
}

FAISS(void, writeIndex)(JNIEnv* env, jclass, jlong index, jobject output) {
  checked<int>(env, [&] {
    std::unique_ptr<faiss::IndexIDMap> map((faiss::IndexIDMap*)index);
    Output out(env, output);
    faiss::write_index(map.get(), &out);
    return 0;
  });
}

FAISS(void, writeBinaryIndex)(JNIEnv* env, jclass, jlong index, jobject output, jboolean withoutVectors) {
  checked<int>(env, [&] {
    if (!withoutVectors) throw std::runtime_error("not of this form");
    Output out(env, output);
    std::unique_ptr<Coded> coded((Coded*)index);
    std::unique_ptr<faiss::IndexBinaryIDMap> map(coded->map);
    auto* graph = (faiss::IndexBinaryHNSW*)map->index;
    // Written empty, and named "null" instead: the plugin takes the vectors from another file.
    ((faiss::IndexBinaryFlat*)graph->storage)->reset();
    std::vector<idx_t> docs;
    docs.swap(map->id_map);
    faiss::VectorIOWriter bytes, flat;
    faiss::write_index_binary(map.get(), &bytes);
    faiss::write_index_binary(graph->storage, &flat);
    bytes.data.resize(bytes.data.size() - flat.data.size() - sizeof(uint64_t));
    out(bytes.data.data(), 1, bytes.data.size());
    uint64_t n = docs.size();
    out("null", 1, 4);
    out(&n, sizeof n, 1);
    out(docs.data(), sizeof docs[0], n);
    return 0;
  });
}

FAISS(jlong, loadIndexWithStream)(JNIEnv* env, jclass, jobject input) {
  return checked<jlong>(env, [&] {
    Input in(env, input);
    return (jlong)faiss::read_index(&in);
  });
}

FAISS(jobjectArray, queryIndex)(JNIEnv* env, jclass, jlong index, jfloatArray query, jint k, jobject, jintArray) {
  return checked<jobjectArray>(env, [&] {
    auto* map = (faiss::IndexIDMap*)index;
    std::vector<float> vector(map->d), distances(k);
    std::vector<idx_t> labels(k);
    env->GetFloatArrayRegion(query, 0, map->d, vector.data());
    map->search(1, vector.data(), k, distances.data(), labels.data());
    return results(env, distances, labels);
  });
}

FAISS(void, free)(JNIEnv*, jclass, jlong index, jboolean) { delete (faiss::Index*)index; }

FAISS(jlong, initFaissSQIndex)(JNIEnv* env, jclass, jint, jint, jobject parameters, jfloat, jint bytes) {
  return checked<jlong>(env, [&] {
    int neighbours = 16;
    sscanf(get(env, parameters, "index_description").c_str(), "HNSW%d", &neighbours);
    auto* map = new faiss::IndexBinaryIDMap(new faiss::IndexBinaryHNSW(8 * bytes, neighbours));
    map->own_fields = true;
    map->code_size = bytes;
    return (jlong) new Coded{map, {}};
  });
}

FAISS(void, passSQVectorsWithCorrectionFactors)(JNIEnv* env, jclass, jlong index, jbyteArray from, jint n) {
  auto* coded = (Coded*)index;
  int size = coded->map->code_size;
  for (jint i = 0; i < n; i++) {
    coded->codes.resize(coded->codes.size() + size);
    env->GetByteArrayRegion(from, i * (size + 16), size, (jbyte*)coded->codes.data() + coded->codes.size() - size);
  }
}

FAISS(void, addDocsToSQIndex)(JNIEnv* env, jclass, jlong index, jintArray docs, jint n, jint added) {
  checked<int>(env, [&] {
    omp_set_num_threads(1);
    auto* coded = (Coded*)index;
    coded->map->add_with_ids(n, coded->codes.data() + (size_t)added * coded->map->code_size, ids(env, docs, n).data());
    return 0;
  });
}

FAISS(void, releaseFaissSQIndex)(JNIEnv*, jclass, jlong index) {
  delete ((Coded*)index)->map;
  delete (Coded*)index;
}

COMMONS(jlong, storeVectorData)(JNIEnv* env, jclass, jlong at, jobjectArray rows, jlong, jboolean append) {
  auto* all = at ? (std::vector<float>*)at : new std::vector<float>();
  if (!append) all->clear();
  for (jsize i = 0, n = env->GetArrayLength(rows); i < n; i++) {
    auto row = (jfloatArray)env->GetObjectArrayElement(rows, i);
    jsize length = env->GetArrayLength(row);
    all->resize(all->size() + length);
    env->GetFloatArrayRegion(row, 0, length, all->data() + all->size() - length);
    env->DeleteLocalRef(row);
  }
  return (jlong)all;
}

COMMONS(void, freeVectorData)(JNIEnv*, jclass, jlong at) { delete (std::vector<float>*)at; }

SIMD(void, saveSQSearchContext)
(JNIEnv* env, jclass, jbyteArray query, jfloat lower, jfloat upper, jfloat additional, jint sum, jlongArray address, jint function,
 jint dimension, jfloat centroid) {
  context = {std::vector<uint8_t>(env->GetArrayLength(query)), lower, upper, additional, sum, dimension,
             std::vector<jlong>(env->GetArrayLength(address))};
  env->GetByteArrayRegion(query, 0, context.query.size(), (jbyte*)context.query.data());
  env->GetLongArrayRegion(address, 0, context.address.size(), context.address.data());
}

SIMD(jfloat, scoreSimilarity)(JNIEnv*, jclass, jint id) { return score(id); }

SIMD(jfloat, scoreSimilarityInBulk)(JNIEnv* env, jclass, jintArray docs, jfloatArray scores, jint n) {
  std::vector<jint> which(n);
  std::vector<jfloat> found(n);
  env->GetIntArrayRegion(docs, 0, n, which.data());
  for (jint i = 0; i < n; i++) found[i] = score(which[i]);
  env->SetFloatArrayRegion(scores, 0, n, found.data());
  return n ? *std::max_element(found.begin(), found.end()) : -__FLT_MAX__;
}
