package io.github.lucenedirectories.benchmarks.micro;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.util.GroupVIntUtil;
import org.junit.jupiter.api.Test;

/** A wrong start would make a benchmark measure the decoding of other values than it says. */
class BlockTest {
  @Test
  void vIntsFollowEachOtherFromStartToStart() {
    Block block = Block.vInts();
    ByteArrayDataInput in = new ByteArrayDataInput(block.bytes());
    int[] ofLength = new int[6];
    for (int i = 0; i < block.count(); i++) {
      assertEquals(block.start(i), in.getPosition());
      in.readVInt();
      ofLength[in.getPosition() - block.start(i)]++;
    }
    assertEquals(block.bytes().length, in.getPosition());
    assertEquals(0.6, ofLength[1] / (double) block.count(), 0.02);
    assertTrue(ofLength[4] > 0, "some values should be long");
  }

  @Test
  void groupsFollowEachOtherFromStartToStart() throws IOException {
    Block block = Block.groupVInts();
    ByteArrayDataInput in = new ByteArrayDataInput(block.bytes());
    int[] values = new int[Block.GROUP_VALUES];
    for (int i = 0; i < block.count(); i++) {
      assertEquals(block.start(i), in.getPosition());
      GroupVIntUtil.readGroupVInts(in, values, values.length);
    }
    assertEquals(block.bytes().length, in.getPosition());
  }

  @Test
  void contentsAreTheSameInEveryJvm() {
    assertArrayEquals(Block.randomBytes().bytes(), Block.randomBytes().bytes());
    assertArrayEquals(Block.vInts().bytes(), Block.vInts().bytes());
    assertArrayEquals(Block.groupVInts().bytes(), Block.groupVInts().bytes());
  }
}
