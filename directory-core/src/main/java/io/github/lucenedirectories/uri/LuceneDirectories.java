// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.uri;

import io.github.lucenedirectories.internal.uri.UriOptions;
import java.io.IOException;
import org.apache.lucene.store.Directory;

/**
 * Opens directories by URI, so that a configuration file can choose one.
 *
 * <pre>{@code
 * hybrid:/var/lib/index?memory=4g&mapped=doc,pos
 * cached:nio:/var/lib/index?cache=2g
 * ram:mapped:/var/lib/index?max=8g
 * }</pre>
 *
 * <p>A URI is the name of a kind, a colon, and the folder, or in place of the folder the URI of a
 * directory below. The kinds are those of the modules that are on the class path or module path. An
 * option applies to every directory of the URI that has it. The characters {@code ? & = %} in a
 * folder or a value are written as {@code %} and two hexadecimal digits of their byte in UTF-8.
 */
public final class LuceneDirectories {

  private LuceneDirectories() {}

  /**
   * Opens a directory; nothing is created before the whole URI has been checked. Closing it closes
   * all that the URI names. Any thread may call this.
   *
   * @throws IllegalArgumentException if the URI or one of its options is invalid; the message says
   *     what would be valid
   * @throws IOException if the directory cannot be opened
   */
  public static Directory open(String uri) throws IOException {
    try {
      return new UriOptions(uri).opener().get();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("directory '" + uri + "': " + e.getMessage(), e);
    }
  }
}
