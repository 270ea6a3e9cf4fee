/**
 * The load workload: an index that is updated, reopened and searched by requests that come over a
 * network at their own pace, whatever the server does; the latencies at each rate and the highest
 * rate that the server holds.
 */
@NullMarked
package io.github.lucenedirectories.benchmarks.load;

import org.jspecify.annotations.NullMarked;
