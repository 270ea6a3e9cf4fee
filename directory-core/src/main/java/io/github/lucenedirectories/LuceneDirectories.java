package io.github.lucenedirectories;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
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
 * <p>A URI is the name of a {@link DirectoryProvider}, a colon, and the folder; or in place of the
 * folder the URI of a directory below. An option belongs to every directory of the URI that knows
 * it. Characters that mean something ({@code ? & = %}) are written as {@code %} and two hexadecimal
 * digits of their byte in UTF-8.
 *
 * <p>All methods may be called from any thread.
 */
public final class LuceneDirectories {

  private LuceneDirectories() {}

  /**
   * Opens a directory; nothing is created before the whole URI has been checked. Closing it closes
   * all that the URI names.
   *
   * @throws DirectoryUriException if the URI or one of its options is invalid
   * @throws IOException if the directory cannot be opened
   */
  public static Directory open(String uri) throws IOException {
    DirectoryProvider.Opener opener = configure(uri);
    try {
      return opener.open();
    } catch (IllegalArgumentException e) {
      throw new DirectoryUriException(uri, e.getMessage(), e);
    }
  }

  /**
   * Checks a URI and all options that can be checked without the folder.
   *
   * @throws DirectoryUriException if the URI or one of its options is invalid
   */
  static DirectoryProvider.Opener configure(String uri) {
    DirectoryOptions options = new DirectoryOptions(uri, providers());
    DirectoryProvider.Opener opener = options.directory();
    options.end();
    return opener;
  }

  private static List<DirectoryProvider> providers() {
    List<DirectoryProvider> found = new ArrayList<>();
    ServiceLoader.load(DirectoryProvider.class, LuceneDirectories.class.getClassLoader())
        .forEach(found::add);
    return found;
  }
}
