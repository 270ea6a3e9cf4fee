package io.github.lucenedirectories.benchmarks.commit;

import java.util.List;

/**
 * What one committing fork does.
 *
 * @param folder where the directories' files go; nothing else does
 * @param text the path of a file of documents
 * @param documentsPerCommit the sizes of commits, each on a directory of its own
 * @param warmupSeconds committed and dropped, shared by the sizes; each has one commit at least
 * @param seconds committed and measured, likewise
 */
record CommitSpec(
    CommitDirectory directory,
    String folder,
    String text,
    List<Integer> documentsPerCommit,
    double warmupSeconds,
    double seconds) {}
