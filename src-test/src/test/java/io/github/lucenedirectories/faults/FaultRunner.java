package io.github.lucenedirectories.faults;

import io.github.lucenedirectories.faults.Fault.Excuse;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
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
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.SuppressForbidden;

/**
 * Plants each fault of the lists and runs the tests that should notice it. docs/testing.md tells
 * how it is used.
 *
 * <p>Only the changed files are compiled, into a folder that comes first on the class path of a new
 * JVM. So a constant that javac copies into other classes changes in those only whose files the
 * fault names too.
 */
public final class FaultRunner {

  private static final int RUNS = 3;
  private static final long UNCHANGED_SECONDS = 1_800;

  /** What a fault's tests may take beyond three times what they took on the unchanged code. */
  private static final long MORE_SECONDS = 60;

  private enum Verdict {
    CAUGHT,
    HARMLESS,
    EMULATED,
    SURVIVED,
    ERROR;

    private boolean good() {
      return this != SURVIVED && this != ERROR;
    }

    private String word() {
      return this == ERROR ? name() : name().toLowerCase(Locale.ROOT);
    }
  }

  private record Result(Verdict verdict, String by, long millis) {}

  private final Path root;
  private final Path work;
  private final PrintStream out;
  private final Map<String, String> classes;

  /** Milliseconds of each test on the unchanged code, by its name and mode. */
  private final Map<String, Long> unchanged = new ConcurrentHashMap<>();

  private FaultRunner(Path root, PrintStream out) throws IOException {
    this.root = root;
    this.out = out;
    work = root.resolve("src-test/target/faults");
    IOUtils.rm(Files.exists(work) ? new Path[] {work} : new Path[0]);
    classes = testClasses(root);
  }

  /**
   * Runs the faults that are named, or all.
   *
   * @param args the project's folder, then areas and ids, and {@code --jobs N}
   */
  @SuppressForbidden(reason = "a command line prints")
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
    for (Fault fault : Fault.ofProject(root)) {
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
      FaultRunner runner = new FaultRunner(root, System.out);
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
            .filter(file -> file.endsWith("Test.java"))
            .map(file -> file.replaceFirst("\\.java$", "").replace(File.separatorChar, '.'))
            .forEach(name -> classes.put(name.substring(name.lastIndexOf('.') + 1), name));
      }
    }
    return classes;
  }

  /** Whether all tests that faults name pass without a fault. */
  private boolean unchangedPasses(List<Fault> faults, ExecutorService threads)
      throws InterruptedException, ExecutionException {
    Map<String, Set<String>> tests = new TreeMap<>();
    for (Fault fault : faults) {
      fault.tests().stream()
          .filter(test -> isTest(classes, test))
          .forEach(test -> tests.computeIfAbsent(fault.mode(), _ -> new TreeSet<>()).add(test));
    }
    List<Callable<Boolean>> runs = new ArrayList<>();
    tests.forEach((mode, names) -> runs.add(() -> unchangedPasses(mode, List.copyOf(names))));
    boolean good = true;
    for (Future<Boolean> each : threads.invokeAll(runs)) {
      good &= each.get();
    }
    return good;
  }

  private boolean unchangedPasses(String mode, List<String> tests)
      throws IOException, InterruptedException {
    Path folder = work.resolve("unchanged").resolve(mode);
    Result result = run(folder, mode, tests, true, UNCHANGED_SECONDS);
    out.printf(
        Locale.ROOT,
        "unchanged, %s: %d tests in %.1f s %s%n",
        mode,
        tests.size(),
        result.millis / 1e3,
        result.by);
    return result.verdict == Verdict.SURVIVED;
  }

  /** Whether there is the class of a test, which may be followed by one method's name. */
  static boolean isTest(Map<String, String> classes, String test) {
    return classes.containsKey(test.split("#", 2)[0]);
  }

  private boolean run(List<Fault> faults, ExecutorService threads)
      throws InterruptedException, ExecutionException {
    List<Future<Result>> results = new ArrayList<>();
    faults.forEach(fault -> results.add(threads.submit(() -> plant(fault))));
    Map<String, List<Verdict>> verdicts = new LinkedHashMap<>();
    List<Verdict> all = new ArrayList<>();
    for (int i = 0; i < faults.size(); i++) {
      Fault fault = faults.get(i);
      Result result = results.get(i).get();
      out.printf(
          Locale.ROOT,
          "%-36s %-8s %6.1f s  %s | %s%n",
          fault.id(),
          result.verdict.word(),
          result.millis / 1e3,
          fault.what(),
          result.by);
      verdicts.computeIfAbsent(fault.area(), _ -> new ArrayList<>()).add(result.verdict);
      all.add(result.verdict);
    }
    verdicts.forEach(this::summary);
    summary("total", all);
    return all.stream().allMatch(Verdict::good);
  }

  private void summary(String name, List<Verdict> verdicts) {
    out.println(
        Arrays.stream(Verdict.values())
            .map(each -> Collections.frequency(verdicts, each) + " " + each.word())
            .collect(Collectors.joining(", ", name + ": ", ", of " + verdicts.size() + " faults")));
  }

  private Result plant(Fault fault) throws IOException, InterruptedException {
    Path folder = Files.createDirectories(work.resolve(fault.id()));
    try {
      if (!fault.tests().stream().allMatch(test -> isTest(classes, test))) {
        return new Result(Verdict.ERROR, "no such test: " + fault.tests(), 0);
      }
      compile(fault, folder);
    } catch (IOException e) {
      return new Result(Verdict.ERROR, e.toString(), 0);
    }
    List<Long> usual =
        fault.tests().stream()
            .map(test -> unchanged.getOrDefault(test + " " + fault.mode(), -1L))
            .toList();
    if (usual.stream().allMatch(millis -> millis < 0)) {
      return new Result(Verdict.ERROR, "no test runs here: " + fault.tests(), 0);
    }
    long seconds = MORE_SECONDS + 3 * usual.stream().mapToLong(millis -> millis).sum() / 1_000;
    long millis = 0;
    for (int run = 1; run <= (fault.excuse() == null ? RUNS : 1); run++) {
      Result result = run(folder, fault.mode(), fault.tests(), run == 1, seconds);
      millis += result.millis;
      if (result.verdict == Verdict.CAUGHT && fault.excuse() == Excuse.HARMLESS) {
        return new Result(Verdict.ERROR, "not harmless: " + result.by, millis);
      }
      if (result.verdict != Verdict.SURVIVED) {
        String after = run == 1 ? "" : ", in run " + run + " of " + RUNS;
        return new Result(result.verdict, result.by + after, millis);
      }
    }
    return fault.excuse() == null
        ? new Result(Verdict.SURVIVED, RUNS + " runs, each with another seed", millis)
        : new Result(Verdict.valueOf(fault.excuse().name()), "", millis);
  }

  /** Compiles the changed files of a fault. */
  private void compile(Fault fault, Path folder) throws IOException {
    List<Path> sources = new ArrayList<>();
    for (Map.Entry<String, String> file : fault.mutate(root).entrySet()) {
      Path source = folder.resolve("src").resolve(file.getKey());
      Files.createDirectories(source.getParent());
      sources.add(Files.writeString(source, file.getValue()));
    }
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    Path target = Files.createDirectories(folder.resolve("classes"));
    List<String> options =
        List.of("-proc:none", "-nowarn", "-g", "-d", target.toString(), "-cp", classPath());
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files = javac.getStandardFileManager(null, null, null)) {
      var units = files.getJavaFileObjectsFromPaths(sources);
      if (!javac.getTask(messages, files, null, options, null, units).call()) {
        throw new IOException("does not compile: " + messages.toString().strip());
      }
    }
  }

  /** Keeps how long the tests took when they ran first, which is on the unchanged code. */
  private void noteTimes(Path times, String mode, List<String> tests) throws IOException {
    if (Files.exists(times)) {
      List<String> millis = Files.readAllLines(times);
      for (int i = 0; i < tests.size(); i++) {
        unchanged.putIfAbsent(tests.get(i) + " " + mode, Long.parseLong(millis.get(i)));
      }
    }
  }

  private static String classPath() {
    return System.getProperty("java.class.path");
  }

  /**
   * Runs tests in a new JVM, which sees the folder's classes first: caught, survived or error.
   *
   * @param quick whether to compile with C1 alone, which is faster for most tests
   */
  private Result run(Path folder, String mode, List<String> tests, boolean quick, long seconds)
      throws IOException, InterruptedException {
    Path running = Files.createDirectories(folder.resolve("running"));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Fault.MODES.getOrDefault(mode, List.of()));
    if (quick) {
      command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    }
    command.addAll(List.of("-ea", "-Xmx1g", "-Dtestkit.mode=" + mode));
    command.add("-Djava.io.tmpdir=" + running);
    command.add("-cp");
    command.add(folder.resolve("classes") + File.pathSeparator + classPath());
    command.add(FirstFailure.class.getName());
    for (String test : tests) {
      String name = test.split("#", 2)[0];
      command.add(classes.get(name) + test.substring(name.length()));
    }
    Path failure = running.resolve(FirstFailure.FILE);
    File log = folder.resolve("log.txt").toFile();
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(command)
            .directory(running.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
            .start();
    boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
    if (!ended) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
    int status = process.exitValue();
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    String by = Files.exists(failure) ? Files.readString(failure) : "";
    noteTimes(running.resolve(FirstFailure.TIMES), mode, tests);
    IOUtils.rm(running);
    if (!ended) {
      return new Result(Verdict.CAUGHT, "hangs: " + tests, millis);
    }
    return switch (status) {
      case 0 -> new Result(Verdict.SURVIVED, "", millis);
      case FirstFailure.NOTHING_RAN -> new Result(Verdict.ERROR, "no test ran: " + tests, millis);
      case FirstFailure.FAILED -> new Result(Verdict.CAUGHT, by, millis);
      default -> new Result(Verdict.CAUGHT, "the JVM crashes, status " + status, millis);
    };
  }
}
