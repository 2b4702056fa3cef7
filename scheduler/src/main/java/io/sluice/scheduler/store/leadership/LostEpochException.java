// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.leadership;

import io.sluice.scheduler.store.StoreException;

/** Another server leads; nothing was written. */
public final class LostEpochException extends StoreException {
  private static final long serialVersionUID = 1L;

  public LostEpochException(long own, long current) {
    super("epoch " + own + " is over: epoch " + current + " leads");
  }
}
