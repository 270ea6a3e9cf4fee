/** What several directories have in common for their users. */
@NullMarked
package io.github.lucenedirectories;

import org.jspecify.annotations.NullMarked;
