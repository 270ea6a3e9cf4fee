package io.github.lucenedirectories.benchmarks.load;

import io.github.lucenedirectories.benchmarks.directories.WritableSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one server does.
 *
 * @param label of its column
 * @param index the path of the index that it begins with a copy of
 * @param source where the index's text comes from
 * @param documents of that index
 * @param field the text field
 * @param text the path of a file of documents to update with; null without updates
 * @param tasks the path of a task file, all of whose lines can run
 * @param bind the address to listen at
 * @param port 0 for any
 * @param once whether it ends with its first client
 * @param jvmFlags that it was started with
 * @param seed of the updates
 */
record ServerSpec(
    String label,
    WritableSpec directory,
    String index,
    String source,
    int documents,
    String field,
    @Nullable String text,
    String tasks,
    LoadPlan.Live live,
    String bind,
    int port,
    boolean once,
    List<String> jvmFlags,
    long seed) {}
