// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.document;

import org.jspecify.annotations.Nullable;

/** A source of documents, read one after another. */
interface DocumentSource {
  /**
   * The next document; null: there is none.
   *
   * @param violations takes what is wrong with its form, after which its root is of no use
   * @throws BrokenSyntaxException if neither it nor anything after it can be taken apart
   */
  @Nullable Document next(Violations violations) throws BrokenSyntaxException;
}
