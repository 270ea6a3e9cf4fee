// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.tools;

import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.ram.CommitJournal;
import io.github.lucenedirectories.ram.NrtCacheDirectory;
import io.github.lucenedirectories.tools.console.RunFailedException;
import io.github.lucenedirectories.tools.console.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.LockObtainFailedException;
import org.apache.lucene.util.IOConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The tools for the file of a {@link CommitJournal}. */
@Command(
    name = "journal",
    description = "Tools for the file of a CommitJournal, which no process may have open.")
public final class JournalCommand {
  private static final String JOURNAL = "JOURNAL";

  @Spec private CommandSpec spec;

  private void say(Object line) {
    spec.commandLine().getOut().println(line);
  }

  @Command(description = "Say how full the journal is, and which folders lack commits that it has.")
  void info(@Parameters(paramLabel = JOURNAL) Path file) throws IOException {
    open(file, this::say);
  }

  @Command(description = "Read the whole journal. If it is damaged, the exit code is 1.")
  void check(@Parameters(paramLabel = JOURNAL) Path file) throws IOException {
    open(file, journal -> say("whole: " + journal));
  }

  @Command(description = "Bring all commits that the journal has into their folders.")
  void checkpoint(@Parameters(paramLabel = JOURNAL) Path file) throws IOException {
    open(
        file,
        journal -> {
          for (String folder : journal.unrecoveredFolders()) {
            if (!Files.isDirectory(Path.of(folder))) {
              throw new RunFailedException(
                  "the folder is missing; restore it, or discard its commits: " + folder);
            }
            new NrtCacheDirectory(new NioDirectory(Path.of(folder)), journal).close();
            say("up to date: " + folder);
          }
        });
  }

  @Command(
      description = "Give up the commits that a folder lacks; it keeps the commit that it has.")
  void discard(
      @Parameters(paramLabel = JOURNAL) Path file,
      @Parameters(paramLabel = "INDEXDIR") Path folder,
      @Option(names = "--yes", description = "confirm that commits are lost") boolean confirmed)
      throws IOException {
    if (!confirmed) {
      throw new UsageException("commits in the journal will be lost; --yes confirms it");
    }
    open(file, journal -> journal.discard(folder.toAbsolutePath().normalize().toString()));
  }

  private static void open(Path file, IOConsumer<CommitJournal> work) throws IOException {
    if (!Files.exists(file)) {
      throw new UsageException("no such journal: " + file);
    }
    try (CommitJournal journal = CommitJournal.open(file)) {
      work.accept(journal);
    } catch (LockObtainFailedException e) {
      throw new RunFailedException("the journal is in use: " + file);
    } catch (CorruptIndexException e) {
      throw new RunFailedException(String.valueOf(e.getMessage()));
    }
  }
}
