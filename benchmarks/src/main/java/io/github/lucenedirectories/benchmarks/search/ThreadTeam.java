package io.github.lucenedirectories.benchmarks.search;

import io.github.lucenedirectories.benchmarks.tasks.Task;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Several threads that run each slice together; their rates add up. */
final class ThreadTeam implements TimedLoop.Searchers, AutoCloseable {
  private final List<TimedLoop.Alone> members;
  private final ExecutorService threads;
  private final CyclicBarrier start;

  ThreadTeam(List<TimedLoop.Alone> members) {
    this.members = List.copyOf(members);
    this.threads = Executors.newFixedThreadPool(members.size());
    this.start = new CyclicBarrier(members.size());
  }

  @Override
  public double rate(List<Task> tasks, long sliceNanos) throws IOException {
    List<Callable<Double>> slices = new ArrayList<>();
    for (TimedLoop.Alone member : members) {
      slices.add(
          () -> {
            start.await();
            return member.rate(tasks, sliceNanos);
          });
    }
    try {
      double sum = 0;
      for (Future<Double> rate : threads.invokeAll(slices)) {
        sum += rate.get();
      }
      return sum;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    }
  }

  @Override
  public void close() {
    threads.shutdown();
  }
}
