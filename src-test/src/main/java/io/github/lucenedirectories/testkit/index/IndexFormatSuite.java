package io.github.lucenedirectories.testkit.index;

import io.github.lucenedirectories.testkit.DirectoryUnderTest;

/** Whole indexes in the formats of lucene-codecs. */
public abstract class IndexFormatSuite extends IndexSuite {

  private static final int DOCUMENTS = 130;
  private static final int SIMPLE_TEXT_DOCUMENTS = 40;

  protected IndexFormatSuite(DirectoryUnderTest subject) {
    super(subject);
  }

  public void testDirect() throws Exception {
    run(IndexFormat.DIRECT, DOCUMENTS);
  }

  public void testFst() throws Exception {
    run(IndexFormat.FST, DOCUMENTS);
  }

  public void testBlockTreeOrds() throws Exception {
    run(IndexFormat.BLOCK_TREE_ORDS, DOCUMENTS);
  }

  public void testSimpleText() throws Exception {
    run(IndexFormat.SIMPLE_TEXT, SIMPLE_TEXT_DOCUMENTS);
  }
}
