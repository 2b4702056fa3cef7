// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.kueue;

import org.jspecify.annotations.Nullable;

/** Where set-ups of Kueue are read. */
public interface KueueSource {
  /**
   * Reads what Kueue has in a cluster, page by page, and changes nothing.
   *
   * @param cluster null: the only one there is
   * @throws io.sluice.queuemodel.InvalidValueException if it is not said which one is meant, or
   *     there is none of that name
   * @throws KueueUnreadableException if the cluster does not answer, or has no Kueue
   */
  KueueSetup read(@Nullable String cluster);
}
