// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.schedules;

import module java.base;
import module java.instrument;
import io.github.lucenedirectories.internal.os.LiveResource;
import org.junit.Assert;
import org.pastalab.fray.core.TestRunner;
import org.pastalab.fray.core.ThreadContext;
import org.pastalab.fray.core.command.Configuration;
import org.pastalab.fray.core.command.ExecutionInfo;
import org.pastalab.fray.core.command.Executor;
import org.pastalab.fray.core.command.NetworkDelegateType;
import org.pastalab.fray.core.command.SystemTimeDelegateType;
import org.pastalab.fray.core.observers.TimelineCoverageType;
import org.pastalab.fray.core.randomness.ControlledRandom;
import org.pastalab.fray.core.randomness.Randomness;
import org.pastalab.fray.core.scheduler.Scheduler;

/** Runs races under Fray, which lets one thread run at a time and asks here which one. */
public final class Schedules extends Scheduler implements Executor {

  private static final String ROOT = "io.github.lucenedirectories.";
  private static final List<String> CLASSES =
      List.of("schedules.MemoryRaces", "cache.CacheRaces", "mmap.MappedRaces", "ram.JournalRaces");

  /** The first schedules initialize classes, which is no part of the race. */
  private static final int WARM_UP = 3;

  /** After that the library's idle threads have ended. */
  private static final long IDLE_MILLIS = 500;

  private final Method race;
  private final int threads;
  private final String replay;
  private Configuration config;
  private int runs;
  private ThreadContext last;
  private Throwable caught;

  /** The choices in this schedule. */
  private final StringBuilder chosen = new StringBuilder();

  // All schedules with no preemption, then with one, and so on: each time in depth-first order.

  /** The choice at each point of this schedule, and how many there are. */
  private final List<int[]> path = new ArrayList<>();

  private int preemptions = -1;
  private int used;
  private boolean cut = true;

  // Random schedules.

  private final Random random = new Random(0);
  private double change;

  private Schedules(Method race, int threads, String replay) {
    super(numbers());
    this.race = race;
    this.threads = threads;
    this.replay = replay;
  }

  /** The same numbers each time, for hash codes. Odd ones mean that no wait ends by itself. */
  private static Randomness numbers() {
    Random odd =
        new Random(0) {
          private int last = 1;

          @Override
          public int nextInt(int bound) {
            return last += 2;
          }
        };
    return new ControlledRandom(new ArrayList<>(), new ArrayList<>(), odd);
  }

  /** The same bytes in each schedule, for names that have a UUID. */
  public static final class SameBytes extends SecureRandomSpi {
    static int next;

    @Override
    protected void engineNextBytes(byte[] bytes) {
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) next++;
      }
    }

    @Override
    protected byte[] engineGenerateSeed(int length) {
      return new byte[length];
    }

    @Override
    protected void engineSetSeed(byte[] seed) {}
  }

  /** Makes the fields of the library volatile: Fray lets other threads run at these. */
  public static void premain(String options, Instrumentation instrumentation) {
    FieldTransform unlessFinal =
        (field, element) -> {
          if (element instanceof AccessFlags flags && !flags.has(AccessFlag.FINAL)) {
            field.withFlags(flags.flagsMask() | ClassFile.ACC_VOLATILE);
          } else {
            field.with(element);
          }
        };
    ClassTransform fields = ClassTransform.transformingFields(unlessFinal);
    instrumentation.addTransformer(
        new ClassFileTransformer() {
          @Override
          public byte[] transform(
              ClassLoader loader, String name, Class<?> old, ProtectionDomain domain, byte[] bytes) {
            return name != null && name.startsWith(ROOT.replace('.', '/')) && !name.contains("/schedules/")
                ? ClassFile.of().transformClass(ClassFile.of().parse(bytes), fields)
                : null;
          }
        });
  }

  @Override
  public ThreadContext scheduleNextOperation(List<ThreadContext> enabled, Collection<ThreadContext> all) {
    List<ThreadContext> able = new ArrayList<>(enabled);
    able.sort(Comparator.comparing((ThreadContext each) -> each != last).thenComparing(ThreadContext::getIndex));
    int choice = 0;
    if (able.size() > 1 && Race.running && runs > WARM_UP) {
      choice = choose(able.size(), able.getFirst() == last, chosen.length());
      chosen.append(choice);
    }
    last = able.get(choice);
    return last;
  }

  /** Chooses one of so many threads; the first is the one that runs, if it can go on. */
  private int choose(int count, boolean running, int at) {
    if (replay != null) {
      return at < replay.length() ? replay.charAt(at) - '0' : 0;
    } else if (threads > 2) {
      return running && random.nextDouble() > change ? 0 : random.nextInt(count);
    }
    boolean free = !running || used < preemptions;
    cut |= !free;
    if (at == path.size()) {
      path.add(new int[] {0, free ? count : 1});
    }
    int choice = path.get(at)[0];
    used += running && choice > 0 ? 1 : 0;
    return choice;
  }

  /** Begins the next schedule; false if there is none. */
  private boolean next() {
    change = Math.pow(2, -1 - random.nextInt(6));
    used = 0;
    while (!path.isEmpty() && path.getLast()[0] + 1 == path.getLast()[1]) {
      path.removeLast();
    }
    if (threads > 2 || replay != null) {
      return replay == null || runs == WARM_UP;
    } else if (!path.isEmpty()) {
      path.getLast()[0]++;
      return true;
    }
    boolean more = cut;
    cut = false;
    preemptions++;
    return more;
  }

  @Override
  public Scheduler nextIteration(Randomness randomness) {
    if (runs >= WARM_UP && !next()) {
      config.setIter(config.getCurrentIteration());
    }
    return this;
  }

  @Override
  public void beforeExecution() {}

  @Override
  public void afterExecution() {}

  @Override
  public void execute(boolean resetClassLoader) {
    runs++;
    chosen.setLength(0);
    last = null;
    Race.running = false;
    SameBytes.next = 0;
    String before = held();
    try {
      race.invoke(null, threads);
      Assert.assertEquals("left behind", before, held());
    } catch (InvocationTargetException | IllegalAccessException | AssertionError e) {
      caught = e.getCause() == null ? e : e.getCause();
      throw new AssertionError(caught);
    }
  }

  private static String held() {
    return Arrays.stream(LiveResource.values()).map(each -> each + "=" + each.amount()).toList().toString();
  }

  /** Runs schedules until one fails; returns whether none did. */
  private boolean run(int schedules, Path report) {
    PrintStream out = System.out;
    System.setOut(new PrintStream(OutputStream.nullOutputStream()));
    ExecutionInfo info = new ExecutionInfo(this, false, true, Integer.MAX_VALUE);
    // The flags: all schedules, explore, go on after a finding, replay, without Fray, dummy run.
    config =
        new Configuration(
            info, report, schedules + WARM_UP, Integer.MAX_VALUE / 1000, this, Schedules::numbers,
            false, false, true, false, false, false, NetworkDelegateType.NONE, SystemTimeDelegateType.MOCK,
            1_000, false, false, false, false, false, false, TimelineCoverageType.NONE);
    long start = System.nanoTime();
    Throwable found = new TestRunner(config).run();
    double seconds = (System.nanoTime() - start) / 1e9;
    System.setOut(out);
    Throwable finding = found == null ? caught : found;
    String tried = threads > 2 ? "random" : preemptions < 1 || path.isEmpty() && !cut ? "all" : "all with < " + preemptions + " preemptions";
    String name = race.getDeclaringClass().getSimpleName() + "#" + race.getName();
    System.out.printf(
        Locale.ROOT, "%-34s %d threads %9d schedules %7.1f s %6.0f/s  %s%n", name, threads, runs - WARM_UP,
        seconds, runs / seconds, finding == null ? "no finding, " + tried : "FINDING in the last one: " + finding);
    if (finding != null) {
      finding.printStackTrace(System.out);
      System.out.printf("replay: ./run schedules %s --threads %d --replay %s%n", name, threads, chosen.toString().replaceFirst("0*$", "0"));
    }
    return finding == null;
  }

  /** Runs races: their classes or {@code Class#method}, and options. */
  public static void main(String[] args) throws Exception {
    Provider provider = new Provider("schedules", "1", "the same bytes") {};
    provider.put("SecureRandom.SameBytes", SameBytes.class.getName());
    Security.insertProviderAt(provider, 1);
    List<String> names = new ArrayList<>();
    Map<String, String> options = new HashMap<>(Map.of("--schedules", "5000", "--threads", "23"));
    for (int i = 0; i < args.length; i++) {
      if (args[i].startsWith("--") && i + 1 < args.length) {
        options.put(args[i], args[++i]);
      } else {
        names.add(args[i]);
      }
    }
    String failed = "";
    int races = 0;
    for (String type : CLASSES) {
      for (Method race : Class.forName(ROOT + type).getMethods()) {
        String name = ROOT + type + "#" + race.getName();
        if (!Modifier.isStatic(race.getModifiers())
            || !names.isEmpty() && names.stream().noneMatch(each -> name.endsWith(each) || name.contains(each + "#"))) {
          continue;
        }
        races++;
        // Initializes classes, and makes the files of all schedules.
        race.invoke(null, 3);
        Thread.sleep(IDLE_MILLIS);
        for (char digit : options.get("--threads").toCharArray()) {
          Schedules schedules = new Schedules(race, digit - '0', options.get("--replay"));
          if (!schedules.run(Integer.parseInt(options.get("--schedules")), Path.of(options.get("--report")))) {
            failed = name;
          }
        }
      }
    }
    if (races == 0) {
      System.err.println("schedules: no such race, or an option without a value: " + names);
      System.exit(2);
    }
    if (options.containsKey("--failure")) {
      Files.writeString(Path.of(options.get("--failure")), failed);
    }
    System.exit(failed.isEmpty() ? 0 : 10);
  }
}
