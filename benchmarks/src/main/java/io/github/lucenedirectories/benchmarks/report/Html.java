package io.github.lucenedirectories.benchmarks.report;

/** Text as HTML shows it. */
public final class Html {
  private Html() {}

  /** A text whose marks mean themselves, for use between tags and in attributes. */
  public static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
