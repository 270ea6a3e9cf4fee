// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.os;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/**
 * Events for Java Flight Recorder. Their thresholds can be changed in the settings of a recording.
 */
public final class Events {

  private static final String PREFIX = "io.github.lucenedirectories.";

  private Events() {}

  /**
   * Whether there has been a recording in this process. Until then, code that runs at every start
   * must not use an event's class, because that loads hundreds of classes of the recorder.
   */
  public static boolean isRecorderReady() {
    return FlightRecorder.isInitialized();
  }

  /** What all events have. */
  @Category("Lucene Directories")
  @StackTrace(false)
  public abstract static class Described extends Event {
    /** What it is about, with its figures. */
    @Label("Description")
    public String what = "";
  }

  /** A read of an index file by position, unless the file's last reads came from memory. */
  @Name(PREFIX + "SlowRead")
  @StackTrace
  @Threshold("10 ms")
  public static final class SlowRead extends Described {}

  /** A sync of an index file for a commit, or a write to a commit journal. */
  @Name(PREFIX + "Sync")
  @Threshold("10 ms")
  public static final class Sync extends Described {}

  /** A change of the memory level, and so of how hybrid directories read mapped files. */
  @Name(PREFIX + "MemoryLevel")
  public static final class MemoryLevel extends Described {}

  /** A checkpoint, which brought the commits of a journal into the folder of an index. */
  @Name(PREFIX + "Checkpoint")
  public static final class Checkpoint extends Described {}

  /** The end of a warm start. */
  @Name(PREFIX + "WarmStart")
  public static final class WarmStart extends Described {}

  /** A write or sync that a directory refused, or reads that are slower from now on. */
  @Name(PREFIX + "Refusal")
  @StackTrace
  public static final class Refusal extends Described {

    /** Reports a refusal, and returns its message. */
    public static String report(String message) {
      Refusal event = new Refusal();
      event.what = message;
      event.commit();
      return message;
    }
  }
}
