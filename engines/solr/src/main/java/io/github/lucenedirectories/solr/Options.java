// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.solr;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.solr.common.SolrException;
import org.apache.solr.common.util.NamedList;
import org.apache.solr.core.SolrXmlConfig;
import org.jspecify.annotations.Nullable;

/**
 * The options of one element of {@code solrconfig.xml}. Options that nobody has asked for are
 * unknown to the element, which is an error.
 */
final class Options {

  private static final long MEGABYTE = 1 << 20;

  private final String element;
  private final NamedList<?> values;
  private final Set<String> known = new TreeSet<>();

  Options(String element, NamedList<?> values) {
    this.element = element;
    this.values = values;
  }

  private @Nullable String text(String name) {
    known.add(name);
    Object value = values.get(name);
    return value == null ? null : value.toString().trim();
  }

  /** Names separated by commas or spaces; empty if the option is not set. */
  List<String> names(String name) {
    String value = text(name);
    return value == null || value.isEmpty() ? List.of() : Arrays.asList(value.split("[,\\s]+"));
  }

  /** A number of megabytes above zero. */
  double megabytes(String name, double otherwise) {
    String value = text(name);
    if (value == null) {
      return otherwise;
    }
    try {
      double number = Double.parseDouble(value);
      if (number > 0 && number * MEGABYTE < Long.MAX_VALUE) {
        return number;
      }
    } catch (NumberFormatException _) {
      // Reported below.
    }
    throw invalid(name, value, "a number of megabytes above 0");
  }

  /** A number of megabytes above zero, in bytes; zero if the option is not set. */
  long bytes(String name) {
    return (long) (megabytes(name, 0) * MEGABYTE);
  }

  /** A size that must be a power of two within limits. */
  int powerOfTwo(String name, int least, int most, int otherwise) {
    String value = text(name);
    if (value == null) {
      return otherwise;
    }
    try {
      int number = Integer.parseInt(value);
      if (number >= least && number <= most && Integer.bitCount(number) == 1) {
        return number;
      }
    } catch (NumberFormatException _) {
      // Reported below.
    }
    throw invalid(name, value, "a power of two from " + least + " to " + most);
  }

  /** Throws if an option is set that the element does not have. */
  void end() {
    known.add(SolrXmlConfig.SOLR_DATA_HOME);
    for (int i = 0; i < values.size(); i++) {
      String name = values.getName(i);
      if (!known.contains(name)) {
        throw error("unknown option '" + name + "'; allowed: " + String.join(", ", known));
      }
    }
  }

  private SolrException invalid(String name, String value, String allowed) {
    return error(name + "=" + value + " is invalid; allowed: " + allowed);
  }

  private SolrException error(String what) {
    return new SolrException(
        SolrException.ErrorCode.SERVER_ERROR, element + " in solrconfig.xml: " + what);
  }
}
