package intruder;

import io.github.lucenedirectories.core.PathCounter;

class Intruder {
  PathCounter counter;
}
