package io.github.lucenedirectories.internal.os;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/**
 * Events for Java Flight Recorder. While nothing is recorded they cost nothing. Their thresholds
 * can be changed in the settings of a recording.
 */
@SuppressWarnings("NullAway.Init") // the fields of an event are set before it is committed
public final class Events {

  private static final String PREFIX = "io.github.lucenedirectories.";
  private static final String CATEGORY = "Lucene Directories";

  private Events() {}

  /** A read by position that took long. */
  @Name(PREFIX + "SlowRead")
  @Label("Slow Read")
  @Description("A read of an index file by position, through the page cache or a block cache")
  @Category(CATEGORY)
  @Threshold("10 ms")
  public static final class SlowRead extends Event {
    /** The file, or the part of it. */
    @Label("Input")
    public String input;

    /** Where the read began. */
    @Label("Position")
    public long position;

    /** How much was asked for. */
    @Label("Length")
    @DataAmount
    public long bytes;

    /** Why it failed; null if it did not. */
    @Label("Failure")
    public @Nullable String failure;
  }

  /** A sync of a file. */
  @Name(PREFIX + "Sync")
  @Label("Sync")
  @Description("A sync of an index file for a commit")
  @Category(CATEGORY)
  @StackTrace(false)
  @Threshold("10 ms")
  public static final class Sync extends Event {
    /** The file. */
    @Label("File")
    public String file;

    /** Why it failed; null if it did not. */
    @Label("Failure")
    public @Nullable String failure;
  }

  /** A change of the memory level, and so of how mapped files are read. */
  @Name(PREFIX + "MemoryLevel")
  @Label("Memory Level")
  @Description("The memory level of hybrid directories changed, and so how they read mapped files")
  @Category(CATEGORY)
  @StackTrace(false)
  public static final class MemoryLevel extends Event {
    /** The level until now. */
    @Label("Before")
    public String before;

    /** The level from now on. */
    @Label("Now")
    public String now;

    /** The figures behind it. */
    @Label("State")
    public String state;
  }

  /** A warm start. */
  @Name(PREFIX + "WarmStart")
  @Label("Warm Start")
  @Description("The pages of an earlier run were loaded")
  @Category(CATEGORY)
  @StackTrace(false)
  public static final class WarmStart extends Event {
    /** What was loaded, and what ended that. */
    @Label("Outcome")
    public String outcome;
  }

  /** Something that a directory refused, or does in a slower way. */
  @Name(PREFIX + "Refusal")
  @Label("Refusal")
  @Description("A directory refused a write or a sync, or reads in a slower way from now on")
  @Category(CATEGORY)
  public static final class Refusal extends Event {
    /** What, why, and what to do. */
    @Label("Message")
    public String message;

    /** Reports a refusal, and returns its message. */
    public static String report(String message) {
      Refusal event = new Refusal();
      event.message = message;
      event.commit();
      return message;
    }
  }
}
