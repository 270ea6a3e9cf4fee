// SPDX-License-Identifier: Apache-2.0
/** The metrics of directories as meters of Micrometer. */
@SuppressWarnings({
  "requires-automatic",
  "requires-transitive-automatic"
}) // Micrometer has no descriptor
module io.github.lucenedirectories.micrometer {
  requires transitive io.github.lucenedirectories.core;
  requires transitive micrometer.core;
  requires static org.jspecify;

  exports io.github.lucenedirectories.micrometer;
}
