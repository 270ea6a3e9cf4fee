package io.github.lucenedirectories.benchmarks.micro;

import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.ProfilersFailedException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.WorkloadParams;

/**
 * Benchmarks run in rounds, each of which forks one JVM for every directory: a change of the
 * machine's speed meets all directories instead of the one whose forks are running.
 */
final class MicroRun {
  /** How much later than a fork this JVM may learn of Ctrl-C, which goes to both. */
  private static final long INTERRUPT_MILLIS = 500;

  private final MicroSettings settings;
  private final MicroProgress progress;
  private final CountDownLatch interrupted = new CountDownLatch(1);

  MicroRun(MicroSettings settings, MicroProgress progress) {
    this.settings = settings;
    this.progress = progress;
  }

  /**
   * All results, each with as many forks as the settings say, in JMH's order.
   *
   * @throws UsageException if a profiler cannot be used
   * @throws RunFailedException if a benchmark fails or JMH refuses to run
   * @throws IOException if there is no room for temporary files
   */
  List<RunResult> run() throws IOException {
    Map<BenchmarkParams, List<BenchmarkResult>> forks = new TreeMap<>();
    TemporaryFolder folder = TemporaryFolder.create();
    Thread cleaner = new Thread(() -> stop(folder), "micro-cleaner");
    Runtime.getRuntime().addShutdownHook(cleaner);
    try (folder) {
      for (int round = 0; round < settings.forks(); round++) {
        for (RunResult result : round(folder)) {
          forks
              .computeIfAbsent(result.getParams(), _ -> new ArrayList<>())
              .addAll(result.getBenchmarkResults());
        }
      }
    } finally {
      Runtime.getRuntime().removeShutdownHook(cleaner);
    }
    return forks.entrySet().stream()
        .map(entry -> new RunResult(withAllForks(entry.getKey()), entry.getValue()))
        .toList();
  }

  private Collection<RunResult> round(TemporaryFolder folder) {
    try {
      return new Runner(settings.round(folder), progress).run();
    } catch (ProfilersFailedException e) {
      Throwable reason = e.getCause() == null ? e : e.getCause();
      throw new UsageException("profiler refused: " + oneLine(reason), e);
    } catch (RunnerException e) {
      awaitInterrupt();
      List<String> lines = new ArrayList<>(progress.lastLines());
      lines.add("benchmark failed: " + oneLine(e));
      throw new RunFailedException(String.join(System.lineSeparator(), lines), e);
    }
  }

  /** Does not return if the fork failed because this JVM is ending too: that is no news. */
  private void awaitInterrupt() {
    try {
      if (interrupted.await(INTERRUPT_MILLIS, TimeUnit.MILLISECONDS)) {
        Thread.currentThread().join();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static String oneLine(Throwable failure) {
    return String.valueOf(failure.getMessage()).strip().replaceAll("\\s+", " ");
  }

  /** A round has one fork; what JMH writes into its file is the number of all. */
  private BenchmarkParams withAllForks(BenchmarkParams round) {
    WorkloadParams parameters = new WorkloadParams();
    for (String name : round.getParamsKeys()) {
      parameters.put(name, round.getParam(name), 0);
    }
    return new BenchmarkParams(
        round.getBenchmark(),
        round.generatedBenchmark(),
        round.shouldSynchIterations(),
        round.getThreads(),
        round.getThreadGroups(),
        round.getThreadGroupLabels(),
        settings.forks(),
        round.getWarmupForks(),
        round.getWarmup(),
        round.getMeasurement(),
        round.getMode(),
        parameters,
        round.getTimeUnit(),
        round.getOpsPerInvocation(),
        round.getJvm(),
        round.getJvmArgs(),
        round.getJdkVersion(),
        round.getVmName(),
        round.getVmVersion(),
        round.getJmhVersion(),
        round.getTimeout());
  }

  /** Ends the fork that an interrupted run leaves, which would keep the folder in use. */
  private void stop(TemporaryFolder folder) {
    interrupted.countDown();
    List<ProcessHandle> forks = ProcessHandle.current().descendants().toList();
    forks.forEach(ProcessHandle::destroyForcibly);
    forks.forEach(fork -> fork.onExit().join());
    try {
      folder.close();
    } catch (IOException _) {
      // The JVM is ending, and nobody is left to tell.
    }
  }
}
