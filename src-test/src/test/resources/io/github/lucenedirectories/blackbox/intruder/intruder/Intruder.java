package intruder;

import io.github.lucenedirectories.internal.os.PathCounter;

class Intruder {
  PathCounter counter;
}
