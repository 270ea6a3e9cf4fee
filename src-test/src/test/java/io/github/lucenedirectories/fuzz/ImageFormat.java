// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.fuzz;

import static io.github.lucenedirectories.testkit.StoreTestCase.read;

import io.github.lucenedirectories.cache.BlockCache;
import io.github.lucenedirectories.cache.BlockCacheDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.warm.WarmStart;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.lucene.store.Directory;

/** The text of a warm image; {@code WarmImageTest} has images that are no text. */
final class ImageFormat implements FuzzTarget.Format {

  /** Loads an image, and saves it; returns what a warm start says of it. */
  private static String start(Path work, boolean cached) throws IOException {
    try (BlockCache cache = BlockCache.builder().blockBytes(1 << 12).maxBytes(1 << 20).build();
        Directory directory = new BlockCacheDirectory(new NioDirectory(work), cache)) {
      if (cached) {
        read(directory, "_0.doc");
      }
      Path image = work.resolve("image");
      try (WarmStart warm = WarmStart.builder(directory).image(image).start()) {
        boolean _ = warm.awaitLoaded(Duration.ofMinutes(1));
        return warm.toString();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Override
  public void make(Path work) throws IOException {
    Files.write(work.resolve("_0.doc"), new byte[99_999]);
    start(work, true);
    try (InputStream text = new GZIPInputStream(Files.newInputStream(work.resolve("image")))) {
      Files.write(work.resolve("text"), text.readAllBytes());
    }
  }

  @Override
  public boolean changes(String file) {
    return file.equals("text");
  }

  @Override
  public void check(Map<String, byte[]> files, int choice, Path work) throws IOException {
    byte[] text = Objects.requireNonNull(files.remove("text"));
    FuzzTarget.save(files, work);
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(work.resolve("image")))) {
      out.write(text);
    }
    String state = start(work, false);
    if (!state.contains("state=\"loaded\"") && !state.contains("ended, java.io.IOException")) {
      throw new AssertionError(state);
    }
  }
}
