// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.faults;

import io.github.lucenedirectories.faults.Fault.Verdict;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.SuppressForbidden;

/**
 * Plants each fault of the lists and runs the tests that should notice it. docs/testing.md tells
 * how it is used.
 *
 * <p>Only the changed files are compiled, into a folder that comes first on the class path of a new
 * JVM. So a constant that javac copies into other classes changes in those only whose classes the
 * fault names too.
 */
@SuppressForbidden(reason = "a command line prints")
public final class FaultRunner {

  private static final int RUNS = 3;
  private static final long UNCHANGED_SECONDS = 1_800;

  /** The tests of a fault take a few seconds, some of them a minute. */
  private static final long LEAST_FAULT_SECONDS = 300;

  /** How much longer than without faults tests may take before they are said to hang. */
  private static final int PATIENCE = 5;

  private static final int CRASH_TEST_FOUND = 1;
  private static final int CRASH_TEST_LACKS = 3;

  /** How long the tests of a fault may take. */
  private volatile long faultSeconds = LEAST_FAULT_SECONDS;

  private static final String CLASS_PATH = System.getProperty("java.class.path");

  private record Result(Verdict verdict, String by, long millis) {}

  private final Path work;
  private final Sources sources;
  private final Map<String, String> classes;

  private FaultRunner(Path root) throws IOException {
    sources = new Sources(root);
    work = root.resolve("src-test/target/faults");
    IOUtils.rm(Files.exists(work) ? new Path[] {work} : new Path[0]);
    classes = testClasses(root);
  }

  /**
   * Runs the faults that are named, or all.
   *
   * @param args the project's folder, then areas and ids, and {@code --jobs N}
   */
  public static void main(String[] args) throws Exception {
    int jobs = Runtime.getRuntime().availableProcessors();
    Set<String> names = new HashSet<>();
    for (int i = 1; i < args.length; i++) {
      if (args[i].equals("--jobs") && i + 1 < args.length) {
        jobs = Integer.parseInt(args[++i]);
      } else {
        names.add(args[i]);
      }
    }
    Path root = Path.of(args[0]);
    List<Fault> faults = new ArrayList<>();
    Set<String> unknown = new HashSet<>(names);
    for (Fault fault : Fault.ofProject(root, new Sources(root))) {
      unknown.removeAll(List.of(fault.area(), fault.id()));
      if (names.isEmpty() || names.contains(fault.area()) || names.contains(fault.id())) {
        faults.add(fault);
      }
    }
    if (!unknown.isEmpty()) {
      System.err.println("no area and no fault: " + unknown);
      System.exit(2);
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(jobs)) {
      FaultRunner runner = new FaultRunner(root);
      System.exit(runner.unchangedPasses(faults, threads) && runner.run(faults, threads) ? 0 : 1);
    }
  }

  /** The classes of tests by their simple names. */
  static Map<String, String> testClasses(Path root) throws IOException {
    Map<String, String> classes = new TreeMap<>();
    for (String module : List.of("src-test", "benchmarks")) {
      Path sources = root.resolve(module).resolve("src/test/java");
      try (Stream<Path> files = Files.walk(sources)) {
        files
            .map(file -> sources.relativize(file).toString())
            .filter(file -> file.matches(".*(Test|Races|CrashStates)\\.java"))
            .map(file -> file.replaceFirst("\\.java$", "").replace(File.separatorChar, '.'))
            .forEach(name -> classes.put(name.substring(name.lastIndexOf('.') + 1), name));
      }
    }
    return classes;
  }

  /** Whether there is the class of a test, which may be followed by one method's name. */
  static boolean isTest(Map<String, String> classes, String test) {
    return classes.containsKey(test.split("#", 2)[0]);
  }

  /** Whether all tests that faults name pass without a fault. */
  private boolean unchangedPasses(List<Fault> faults, ExecutorService threads) throws Exception {
    Map<String, Set<String>> tests = new TreeMap<>();
    for (Fault fault : faults) {
      fault.tests().stream()
          .filter(test -> isTest(classes, test))
          .forEach(test -> tests.computeIfAbsent(fault.mode(), _ -> new TreeSet<>()).add(test));
    }
    for (Set<String> names : tests.values()) {
      // A class runs its methods anyway.
      names.removeIf(test -> test.contains("#") && names.contains(test.split("#", 2)[0]));
    }
    Map<String, Future<Result>> results = new TreeMap<>();
    tests.forEach(
        (mode, names) ->
            results.put(
                mode,
                threads.submit(
                    () -> run("unchanged-" + mode, mode, names, true, UNCHANGED_SECONDS))));
    boolean good = true;
    for (Map.Entry<String, Future<Result>> each : results.entrySet()) {
      Result result = each.getValue().get();
      // Where a test runs nothing, the faults that name it are errors.
      good &= result.verdict != Verdict.CAUGHT;
      // On a busy machine all takes longer.
      faultSeconds = Math.max(faultSeconds, PATIENCE * result.millis / 1_000);
      System.out.printf(
          Locale.ROOT, "unchanged, %s: %.1f s %s%n", each.getKey(), result.millis / 1e3, result.by);
    }
    return good;
  }

  private boolean run(List<Fault> faults, ExecutorService threads) throws Exception {
    List<Future<Result>> results = new ArrayList<>();
    faults.forEach(fault -> results.add(threads.submit(() -> plant(fault))));
    Map<String, List<Verdict>> verdicts = new LinkedHashMap<>();
    List<Verdict> all = new ArrayList<>();
    for (int i = 0; i < faults.size(); i++) {
      Fault fault = faults.get(i);
      Result result = results.get(i).get();
      System.out.printf(
          Locale.ROOT,
          "%-36s %-8s %6.1f s  %s | %s%n",
          fault.id(),
          word(result.verdict),
          result.millis / 1e3,
          fault.what(),
          result.by);
      verdicts.computeIfAbsent(fault.area(), _ -> new ArrayList<>()).add(result.verdict);
      all.add(result.verdict);
    }
    verdicts.put("total", all);
    verdicts.forEach(
        (name, found) ->
            System.out.println(
                Arrays.stream(Verdict.values())
                    .map(each -> Collections.frequency(found, each) + " " + word(each))
                    .collect(
                        Collectors.joining(
                            ", ", name + ": ", ", of " + found.size() + " faults"))));
    return all.stream().allMatch(Verdict::good);
  }

  private static String word(Verdict verdict) {
    return verdict == Verdict.ERROR ? "ERROR" : verdict.name().toLowerCase(Locale.ROOT);
  }

  private Result plant(Fault fault) throws IOException, InterruptedException {
    try {
      if (!fault.tests().stream().allMatch(test -> isTest(classes, test))) {
        throw new IOException("no such test: " + fault.tests());
      }
      compile(fault, work.resolve(fault.id()));
    } catch (IOException e) {
      return new Result(Verdict.ERROR, e.toString(), 0);
    }
    int runs = fault.ifPassed() == Verdict.SURVIVED ? RUNS : 1;
    long millis = 0;
    for (int run = 1; run <= runs; run++) {
      Result result = run(fault.id(), fault.mode(), fault.tests(), run == 1, faultSeconds);
      millis += result.millis;
      if (result.verdict == Verdict.CAUGHT && fault.ifPassed() == Verdict.HARMLESS) {
        return new Result(Verdict.ERROR, "not harmless: " + result.by, millis);
      } else if (result.verdict != Verdict.SURVIVED) {
        String after = run == 1 ? "" : ", in run " + run + " of " + RUNS;
        return new Result(result.verdict, result.by + after, millis);
      }
    }
    String by = runs == 1 ? "" : runs + " runs, each with another seed";
    return new Result(fault.ifPassed(), by, millis);
  }

  /** Compiles the changed files of a fault. */
  private void compile(Fault fault, Path folder) throws IOException {
    String target = Files.createDirectories(folder.resolve("classes")).toString();
    List<String> command =
        new ArrayList<>(List.of("-proc:none", "-nowarn", "-g", "-d", target, "-cp", CLASS_PATH));
    for (Map.Entry<String, String> file : fault.mutate(sources).entrySet()) {
      Path source = folder.resolve("src").resolve(file.getKey());
      Files.createDirectories(source.getParent());
      command.add(Files.writeString(source, file.getValue()).toString());
    }
    StringWriter messages = new StringWriter();
    PrintWriter out = new PrintWriter(messages);
    if (ToolProvider.findFirst("javac").orElseThrow().run(out, out, command.toArray(String[]::new))
        != 0) {
      throw new IOException("does not compile: " + messages.toString().strip());
    }
  }

  /**
   * Runs tests in a new JVM, which sees the folder's classes first: caught, survived or error.
   *
   * @param quick whether to compile with C1 alone, which is faster for most tests
   */
  private Result run(
      String folder, String mode, Iterable<String> tests, boolean quick, long seconds)
      throws IOException, InterruptedException {
    Path running = Files.createDirectories(work.resolve(folder).resolve("running"));
    String classPath = running.resolveSibling("classes") + File.pathSeparator + CLASS_PATH;
    List<String> command = new ArrayList<>();
    if (mode.equals(Fault.SCHEDULES)) {
      command.add(work.resolve("../../schedules/schedules").toString());
      command.addAll(List.of("--failure", FirstFailure.FILE));
    } else if (mode.equals(Fault.CRASH_TEST)) {
      command.add(work.resolve("../../crash/crash-test").toString());
      command.addAll(List.of("--states", "200"));
    } else {
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(Objects.requireNonNull(Fault.MODES.get(mode)));
      if (quick) {
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
      }
      command.addAll(List.of("-ea", "-Xmx1g", "-Dtestkit.mode=" + mode));
      command.add("-Djava.io.tmpdir=" + running);
      command.add(FirstFailure.class.getName());
    }
    for (String test : tests) {
      String[] parts = test.split("#", 2);
      if (mode.equals(Fault.CRASH_TEST)) {
        command.addAll(List.of("--pair", parts[1]));
      } else {
        command.add(classes.get(parts[0]) + test.substring(parts[0].length()));
      }
    }
    Path failure = running.resolve(FirstFailure.FILE);
    File log = running.resolveSibling("log.txt").toFile();
    long start = System.nanoTime();
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(running.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log));
    builder.environment().put("CLASSPATH", classPath);
    Process process = builder.start();
    boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
    if (!ended && mode.equals(Fault.CRASH_TEST)) {
      // Lets it unmount its file systems.
      process.destroy();
      process.waitFor(LEAST_FAULT_SECONDS, TimeUnit.SECONDS);
    }
    if (!ended) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    String by = Files.exists(failure) ? Files.readString(failure) : "";
    if (mode.equals(Fault.CRASH_TEST)) {
      try (Stream<String> lines = Files.lines(log.toPath())) {
        by = lines.filter(line -> line.startsWith("crash-test: ")).reduce("", (_, last) -> last);
      }
    }
    IOUtils.rm(running);
    if (!ended) {
      return new Result(Verdict.CAUGHT, "hangs: " + tests, millis);
    }
    int status = process.exitValue();
    return switch (status) {
      case 0 -> new Result(Verdict.SURVIVED, "", millis);
      case CRASH_TEST_FOUND -> new Result(Verdict.CAUGHT, by, millis);
      case CRASH_TEST_LACKS -> new Result(Verdict.ERROR, by, millis);
      case FirstFailure.NOTHING_RAN -> new Result(Verdict.ERROR, "runs nothing: " + by, millis);
      case FirstFailure.FAILED -> new Result(Verdict.CAUGHT, by, millis);
      default -> new Result(Verdict.CAUGHT, "the JVM crashes, status " + status, millis);
    };
  }
}
