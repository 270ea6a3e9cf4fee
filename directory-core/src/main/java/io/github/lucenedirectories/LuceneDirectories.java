// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories;

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
 * <p>A URI is the name of a kind of a {@link DirectoryProvider}, a colon, and the folder; or in
 * place of the folder the URI of a directory below. An option belongs to every directory of the URI
 * that knows it. Characters that mean something ({@code ? & = %}) are written as {@code %} and two
 * hexadecimal digits of their byte in UTF-8.
 */
public final class LuceneDirectories {

  private LuceneDirectories() {}

  /**
   * Opens a directory; nothing is created before the whole URI has been checked. Closing it closes
   * all that the URI names. Any thread may call this.
   *
   * @throws DirectoryUriException if the URI or one of its options is invalid
   * @throws IOException if the directory cannot be opened
   */
  public static Directory open(String uri) throws IOException {
    try {
      return new DirectoryOptions(uri).opener().get();
    } catch (IllegalArgumentException e) {
      throw new DirectoryUriException(uri, e);
    }
  }
}
