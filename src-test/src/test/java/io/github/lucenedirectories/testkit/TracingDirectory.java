// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import java.io.IOException;
import java.lang.StackWalker.StackFrame;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.PreloadHint;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.store.ReadOnceHint;
import org.jspecify.annotations.Nullable;

/**
 * Records which method of Lucene opens, slices, clones and hints the inputs of a directory, and how
 * each of them is then read. For one thread at a time.
 *
 * <p>The reads of an input count for the calls that made it and for those that made the inputs it
 * comes from.
 */
final class TracingDirectory extends FilterDirectory {

  /**
   * What a call was given and what came of it.
   *
   * @param contexts as {@code MERGE} or {@code DEFAULT+DATA+RANDOM}
   * @param reads {@code whole}, {@code sequential}, {@code ascending} or {@code random}, after
   *     {@code MERGE}, {@code FLUSH} or {@code DEFAULT} where the call has such a context
   */
  record Row(Set<String> contexts, Set<String> reads) {
    Row() {
      this(new TreeSet<>(), new TreeSet<>());
    }
  }

  /** The methods that pass a call on, or make it in another's name. */
  private static final Set<String> CALLS =
      Set.of(
          ("openInput openChecksumInput createOutput createTempOutput copyFrom"
                  + " slice randomAccessSlice clone")
              .split(" "));

  private final StackWalker stack =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  /** What happened, by {@code class.method call}. */
  private final Map<String, Row> calls;

  /** All inputs of the directories that share the list. */
  private final List<Input> inputs;

  TracingDirectory(Directory in, Map<String, Row> calls, List<Input> inputs) {
    super(in);
    this.calls = calls;
    this.inputs = inputs;
  }

  /** Records a call and returns the names of its rows; calls without a context pass null. */
  private Set<String> record(String call, @Nullable IOContext context) {
    Set<String> found = stack.walk(frames -> callers(frames, call));
    for (String name : found) {
      Row row = calls.computeIfAbsent(name, _ -> new Row());
      if (context != null) {
        row.contexts.add(words(context));
      }
    }
    return found;
  }

  /**
   * The method that made this call, without those that pass it on; where that is itself a method of
   * a directory or an input, also who called that.
   */
  private static Set<String> callers(Stream<StackFrame> frames, String call) {
    Set<String> found = new LinkedHashSet<>();
    String sought = call;
    for (StackFrame frame : (Iterable<StackFrame>) frames::iterator) {
      Class<?> type = frame.getDeclaringClass();
      String method = frame.getMethodName().replaceFirst("^lambda\\$(.*)\\$\\d+$", "$1");
      boolean ofDirectory =
          Directory.class.isAssignableFrom(type)
              || DataInput.class.isAssignableFrom(type)
              || RandomAccessInput.class.isAssignableFrom(type)
              || type.getSimpleName().equals("EndiannessReverserUtil");
      if (type.getName().startsWith(TracingDirectory.class.getName())
          || (ofDirectory && method.equals(sought))) {
        continue;
      }
      if (!type.getName().startsWith("org.apache.lucene.")) {
        break;
      }
      found.add(type.getName().replace('$', '.') + "." + method + " " + sought);
      if (!ofDirectory || !CALLS.contains(method)) {
        break;
      }
      sought = method;
    }
    return found;
  }

  static String words(IOContext context) {
    if (context.hints().contains(ReadOnceHint.INSTANCE)) {
      return "READONCE";
    }
    return context.context()
        + context.hints().stream()
            .map(hint -> "+" + (hint == PreloadHint.INSTANCE ? "PRELOAD" : hint))
            .sorted()
            .collect(Collectors.joining());
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    Set<String> rows = record("openInput", context);
    return new Input(in.openInput(name, context), name, context, rows, true, null);
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    record("createOutput", context);
    return in.createOutput(name, context);
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    record("createTempOutput", context);
    return in.createTempOutput(prefix, suffix, context);
  }

  @Override
  public void deleteFile(String name) throws IOException {
    record("deleteFile", null);
    in.deleteFile(name);
  }

  @Override
  public void sync(Collection<String> names) throws IOException {
    record("sync", null);
    in.sync(names);
  }

  @Override
  public void syncMetaData() throws IOException {
    record("syncMetaData", null);
    in.syncMetaData();
  }

  @Override
  public void rename(String source, String dest) throws IOException {
    record("rename", null);
    in.rename(source, dest);
  }

  /** An opened input, clone or slice, and how it is read. */
  final class Input extends FilterIndexInput {

    /** Where retrieving the checksum reads. */
    private static final int FOOTER = 16;

    /** Reads up to here only check what the file is. */
    private static final int HEADER = 100;

    final String name;
    final IOContext context;
    final @Nullable Input parent;
    private final Set<String> rows;

    /** Whether the call that made it had a context. */
    private final boolean given;

    private final long length;
    private final boolean wholeFile;
    private long first = -1;
    private long last;
    private long end;
    private boolean jumps;
    private boolean goesBack;

    Input(
        IndexInput in,
        String name,
        IOContext context,
        Set<String> rows,
        boolean given,
        @Nullable Input parent) {
      super(in.toString(), in);
      this.name = name;
      this.context = context;
      this.rows = rows;
      this.given = given;
      this.parent = parent;
      length = in.length();
      wholeFile = rows.stream().anyMatch(row -> row.endsWith(" openInput"));
      inputs.add(this);
    }

    /** Adds how it was read to the rows of the calls that made it and what it comes from. */
    void addReads() {
      String reads = reads();
      for (Input from = this; from != null && reads != null; from = from.parent) {
        String context = words(from.context).replaceFirst("\\+.*", "");
        boolean apart = from.given && !context.equals("READONCE");
        String words = apart ? context + " " + reads : reads;
        from.rows.forEach(name -> calls.computeIfAbsent(name, _ -> new Row()).reads.add(words));
      }
    }

    /** Whether it was opened for a merge. */
    boolean isOfMerge() {
      return context.context() == IOContext.Context.MERGE;
    }

    private void trace(long position, long bytes) {
      if (bytes == 0 || (wholeFile && position >= length - FOOTER && position != end)) {
        return;
      }
      if (first < 0) {
        first = position;
      } else {
        // Packed numbers are read eight bytes at a time and overlap.
        goesBack |= position < last;
        jumps |= position > end;
      }
      last = position;
      end = position + bytes;
    }

    /** How it was read itself; null for not at all, or no more than header and footer. */
    @Nullable String reads() {
      if (first < 0) {
        return null;
      } else if (goesBack) {
        return "random";
      } else if (jumps) {
        return "ascending";
      } else if (first == 0 && end == length) {
        return "whole";
      }
      return wholeFile && end <= HEADER ? null : "sequential";
    }

    private Input made(IndexInput from, String call, IOContext sliced, boolean hasContext) {
      return new Input(
          from, name, sliced, record(call, hasContext ? sliced : null), hasContext, this);
    }

    @Override
    public Input clone() {
      return made(in.clone(), "clone", context, false);
    }

    @Override
    public Input slice(String description, long offset, long length) throws IOException {
      return made(in.slice(description, offset, length), "slice", context, false);
    }

    @Override
    public Input slice(String description, long offset, long length, IOContext sliced)
        throws IOException {
      return made(in.slice(description, offset, length, sliced), "slice", sliced, true);
    }

    @Override
    public void prefetch(long offset, long length) throws IOException {
      record("prefetch", null);
      in.prefetch(offset, length);
    }

    @Override
    public void updateIOContext(IOContext updated) throws IOException {
      record("updateIOContext", updated);
      in.updateIOContext(updated);
    }

    private IndexInput reading(int bytes) {
      trace(in.getFilePointer(), bytes);
      return in;
    }

    @Override
    public byte readByte() throws IOException {
      return reading(Byte.BYTES).readByte();
    }

    @Override
    public void readBytes(byte[] bytes, int offset, int length) throws IOException {
      reading(length).readBytes(bytes, offset, length);
    }

    @Override
    public short readShort() throws IOException {
      return reading(Short.BYTES).readShort();
    }

    @Override
    public int readInt() throws IOException {
      return reading(Integer.BYTES).readInt();
    }

    @Override
    public long readLong() throws IOException {
      return reading(Long.BYTES).readLong();
    }
  }
}
