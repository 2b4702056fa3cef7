// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.kueue;

import org.jspecify.annotations.Nullable;

/** Reads the set-up of Kueue in clusters. */
public interface KueueSource {
  /**
   * Reads the set-up of Kueue in a cluster, page by page, and changes nothing.
   *
   * @param cluster null: the only one
   * @throws io.sluice.queuemodel.InvalidValueException if there are several and none is named, or
   *     there is none of that name
   * @throws KueueUnreadableException if the cluster does not answer, or has no Kueue
   */
  KueueSetup read(@Nullable String cluster);
}
