/** A module that reaches for what only the siblings may see. */
module intruder {
  requires io.github.lucenedirectories.core;
}
