// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.lifecycle;

/** A part that runs all the time and acts only while this server leads. */
public abstract class LeasedPart implements LeaderPart {
  private volatile Lease lease = Lease.NONE;

  @Override
  public final void beginLeading(Lease held) {
    lease = held;
  }

  @Override
  public final void endLeading() {
    lease = Lease.NONE;
  }

  /** Whether this server leads and may act; to be checked before each step. */
  protected final boolean leads() {
    return lease.holds();
  }
}
