// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Finds the places in Lucene that open, slice, clone or hint an input, choose a context, or create,
 * sync, rename or delete a file.
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
  private static final String REVERSER =
      "org/apache/lucene/backward_codecs/store/EndiannessReverserUtil";

  /** The types, and what a call on them or on what extends them is about. */
  private static String root(String type) {
    return switch (type) {
      case STORE + "Directory", REVERSER -> "file";
      case STORE + "DataInput", STORE + "RandomAccessInput", STORE + "MemorySegmentAccessInput" ->
          "input";
      case STORE + "IOContext" -> "context";
      case "org/apache/lucene/index/SegmentReadState" -> "state";
      default -> "";
    };
  }

  private static final Set<String> ON_THE_HEAP =
      Set.of(STORE + "ByteArrayDataInput", STORE + "ByteBuffersDataInput");

  private static final Set<String> CHOICES = words("withHints DEFAULT READONCE merge flush");

  private static final Map<String, Set<String>> CALLS =
      Map.of(
          "file",
          words(
              "openInput openChecksumInput createOutput createTempOutput copyFrom sync syncMetaData"
                  + " rename deleteFile"),
          "input",
          words(
              "slice randomAccessSlice clone updateIOContext prefetch isLoaded segmentSliceOrNull"),
          "context",
          CHOICES);

  /** The calls that take a context. */
  private static final Set<String> TAKERS =
      words("openInput createOutput createTempOutput copyFrom updateIOContext");

  private final Map<String, ClassModel> classes = new TreeMap<>();
  private final Map<String, List<String>> rows = new TreeMap<>();

  private FindCallers() {}

  private static Set<String> words(String words) {
    return Set.of(words.split(" "));
  }

  /**
   * The places in some jars, each with its file and line, by what the tables name it by: {@code
   * class.method call}.
   */
  static Map<String, List<String>> places(List<Path> jars) throws IOException {
    FindCallers finder = new FindCallers();
    for (Path jar : jars) {
      finder.load(jar);
    }
    finder.classes.values().forEach(finder::find);
    return finder.rows;
  }

  /** Of a class that a jar has in several versions, the one that this Java runs. */
  private void load(Path path) throws IOException {
    try (JarFile jar = new JarFile(path.toFile(), false, JarFile.OPEN_READ, Runtime.version())) {
      for (JarEntry entry : jar.versionedStream().toList()) {
        if (entry.getName().startsWith("org/") && entry.getName().endsWith(".class")) {
          ClassModel model = ClassFile.of().parse(jar.getInputStream(entry).readAllBytes());
          classes.put(model.thisClass().asInternalName(), model);
        }
      }
    }
  }

  /** What a call on this type is about, or nothing. */
  private String kind(String name) {
    String root = root(name);
    if (!root.isEmpty() || ON_THE_HEAP.contains(name) || !classes.containsKey(name)) {
      return root;
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
      Map<String, List<String>> places = new TreeMap<>();
      int line = 0;
      for (var element : method.code().map(code -> code.elementList()).orElse(List.of())) {
        if (element instanceof LineNumber number) {
          line = number.line();
        }
        String call = element instanceof Instruction instruction ? call(instruction) : "";
        if (!call.isEmpty() && !(passesOn && call.equals(methodName))) {
          places.computeIfAbsent(call, _ -> new ArrayList<>()).add(file + ":" + line);
        }
      }
      if (places.keySet().stream().anyMatch(TAKERS::contains)) {
        places.keySet().removeAll(CHOICES);
      }
      String row = name.replace('/', '.').replace('$', '.') + "." + methodName + " ";
      places.forEach(
          (call, at) -> rows.computeIfAbsent(row + call, _ -> new ArrayList<>()).addAll(at));
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
