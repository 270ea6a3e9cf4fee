import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds the places in Lucene that open, slice, clone or hint an input, choose a context, or create,
 * sync, rename or delete a file, and compares them with the tables of docs/lucene-callers.md.
 *
 * <p>It reads the compiled classes, where every call names the type it is made on: the clone of a
 * bit set is no match, and a call through a subclass of {@code IndexInput} is one. The rules:
 *
 * <ul>
 *   <li>A place is a call of one of {@link #CALLS}, or a reference to such a method, on a type that
 *       is or extends the named root. Inputs over arrays ({@link #ON_THE_HEAP}) do not count.
 *   <li>A choice of a context ({@link #CHOICES}) is a place only in a method that hands no context
 *       to a directory or an input itself: elsewhere the row of that call has it.
 *   <li>A method of a directory or an input that calls the method of the same name on another one
 *       only passes on what its caller asked for. It is no place, and neither are the methods of
 *       {@code EndiannessReverserUtil}; the calls of these methods are.
 *   <li>Lambdas count as the method around them.
 * </ul>
 */
final class FindCallers {

  private static final String STORE = "org/apache/lucene/store/";

  /** The types, and what a call on them or on what extends them is about. */
  private static final Map<String, String> ROOTS =
      Map.of(
          STORE + "Directory",
          "file",
          "org/apache/lucene/backward_codecs/store/EndiannessReverserUtil",
          "file",
          STORE + "DataInput",
          "input",
          STORE + "RandomAccessInput",
          "input",
          STORE + "MemorySegmentAccessInput",
          "input",
          STORE + "IOContext",
          "context",
          "org/apache/lucene/index/SegmentReadState",
          "state");

  private static final Set<String> ON_THE_HEAP =
      Set.of(STORE + "ByteArrayDataInput", STORE + "ByteBuffersDataInput");

  private static final Map<String, Set<String>> CALLS =
      Map.of(
          "file",
          Set.of(
              "openInput",
              "openChecksumInput",
              "createOutput",
              "createTempOutput",
              "copyFrom",
              "sync",
              "syncMetaData",
              "rename",
              "deleteFile"),
          "input",
          Set.of(
              "slice",
              "randomAccessSlice",
              "clone",
              "updateIOContext",
              "prefetch",
              "isLoaded",
              "segmentSliceOrNull"),
          "context",
          Set.of("withHints", "DEFAULT", "READONCE", "merge", "flush"),
          "state",
          Set.of("SegmentReadState"));

  private static final Set<String> CHOICES =
      Set.of("withHints", "DEFAULT", "READONCE", "merge", "flush");

  /** The calls that take a context. */
  private static final Set<String> TAKERS =
      Set.of("openInput", "createOutput", "createTempOutput", "copyFrom", "updateIOContext");

  private record Place(String module, String type, String method, String call, String at) {

    /** What the tables name a place by; several calls in one method share a row. */
    String row() {
      return type + "." + method + " " + call;
    }
  }

  private final Map<String, ClassModel> classes = new TreeMap<>();
  private final Map<String, String> modules = new HashMap<>();
  private final List<Place> places = new ArrayList<>();

  private FindCallers() {}

  /**
   * @param args {@code --check TABLES} to compare the places with the tables, then the jars
   */
  public static void main(String[] args) throws IOException {
    boolean check = args[0].equals("--check");
    FindCallers finder = new FindCallers();
    for (int i = check ? 2 : 0; i < args.length; i++) {
      finder.load(Path.of(args[i]));
    }
    finder.classes.values().forEach(finder::find);
    Map<String, Integer> rows = new TreeMap<>();
    for (Place place : finder.places) {
      rows.merge(place.row(), 1, Integer::sum);
    }
    if (check) {
      check(rows, Path.of(args[1]));
    } else {
      for (Place place : finder.places) {
        System.out.println(place.module + " " + place.at + " " + place.row());
      }
    }
    System.err.println(finder.places.size() + " places, " + rows.size() + " rows");
  }

  private static void check(Map<String, Integer> found, Path tables) throws IOException {
    Pattern heading = Pattern.compile("### `(.+)`");
    Pattern row = Pattern.compile("\\| `([^`]+)` \\| `([^`]+)`(?: ×(\\d+))? \\|.*");
    Map<String, Integer> listed = new TreeMap<>();
    List<String> wrong = new ArrayList<>();
    String folder = "";
    for (String line : Files.readAllLines(tables)) {
      Matcher matcher = heading.matcher(line);
      if (matcher.matches()) {
        folder = matcher.group(1);
      } else if ((matcher = row.matcher(line)).matches()) {
        String key = folder + "." + matcher.group(1) + " " + matcher.group(2);
        int calls = matcher.group(3) == null ? 1 : Integer.parseInt(matcher.group(3));
        if (listed.put(key, calls) != null) {
          wrong.add("twice in the tables: " + key);
        }
      }
    }
    for (String key : found.keySet()) {
      if (!found.get(key).equals(listed.get(key))) {
        wrong.add(key + ": " + found.get(key) + " in Lucene, in the tables " + listed.get(key));
      }
    }
    for (String key : listed.keySet()) {
      if (!found.containsKey(key)) {
        wrong.add("no longer in Lucene: " + key);
      }
    }
    wrong.forEach(System.out::println);
    if (!wrong.isEmpty()) {
      System.exit(1);
    }
  }

  /** Of a class that a jar has in several versions, the one that this Java runs. */
  private void load(Path path) throws IOException {
    String module = path.getFileName().toString().replaceFirst("-[0-9].*", "");
    try (JarFile jar = new JarFile(path.toFile(), false, JarFile.OPEN_READ, Runtime.version())) {
      for (JarEntry entry : jar.versionedStream().toList()) {
        if (entry.getName().startsWith("org/") && entry.getName().endsWith(".class")) {
          ClassModel model = ClassFile.of().parse(jar.getInputStream(entry).readAllBytes());
          classes.put(model.thisClass().asInternalName(), model);
          modules.put(model.thisClass().asInternalName(), module);
        }
      }
    }
  }

  /** What a call on this type is about, or nothing. */
  private String kind(String name) {
    if (ROOTS.containsKey(name)) {
      return ROOTS.get(name);
    }
    if (ON_THE_HEAP.contains(name) || !classes.containsKey(name)) {
      return "";
    }
    ClassModel model = classes.get(name);
    return Stream.concat(model.superclass().stream(), model.interfaces().stream())
        .map(parent -> kind(parent.asInternalName()))
        .filter(kind -> !kind.isEmpty())
        .findFirst()
        .orElse("");
  }

  private void find(ClassModel model) {
    String name = model.thisClass().asInternalName();
    String file =
        name.substring(0, name.lastIndexOf('/') + 1)
            + model
                .findAttribute(Attributes.sourceFile())
                .map(source -> source.sourceFile().stringValue())
                .orElse("?");
    boolean passesOn = Set.of("file", "input").contains(kind(name));
    for (MethodModel method : model.methods()) {
      String methodName =
          method.methodName().stringValue().replaceFirst("^lambda\\$(.*)\\$\\d+$", "$1");
      List<Place> inMethod = new ArrayList<>();
      int line = 0;
      for (var element : method.code().map(code -> code.elementList()).orElse(List.of())) {
        if (element instanceof LineNumber number) {
          line = number.line();
        }
        String call = element instanceof Instruction instruction ? call(instruction) : "";
        if (!call.isEmpty() && !(passesOn && call.equals(methodName))) {
          String type = name.replace('/', '.').replace('$', '.');
          inMethod.add(new Place(modules.get(name), type, methodName, call, file + ":" + line));
        }
      }
      boolean takes = inMethod.stream().anyMatch(place -> TAKERS.contains(place.call));
      inMethod.removeIf(place -> takes && CHOICES.contains(place.call));
      places.addAll(inMethod);
    }
  }

  /** Which of the calls this instruction is, or nothing. */
  private String call(Instruction instruction) {
    return switch (instruction) {
      case InvokeInstruction i -> call(i.method());
      case FieldInstruction i when i.opcode() == Opcode.GETSTATIC -> call(i.field());
      case InvokeDynamicInstruction i ->
          i.invokedynamic().bootstrap().arguments().stream()
              .filter(MethodHandleEntry.class::isInstance)
              .map(argument -> call(((MethodHandleEntry) argument).reference()))
              .filter(call -> !call.isEmpty())
              .findFirst()
              .orElse("");
      default -> "";
    };
  }

  private String call(MemberRefEntry member) {
    String owner = member.owner().asInternalName();
    String name = member.name().stringValue();
    String kind = kind(owner);
    if (kind.equals("state")) {
      // The constructors that take a context, not the one that copies a state.
      boolean chooses = name.equals("<init>") && member.type().stringValue().contains("IOContext");
      return chooses ? "SegmentReadState" : "";
    }
    return CALLS.getOrDefault(kind, Set.of()).contains(name) ? name : "";
  }
}
