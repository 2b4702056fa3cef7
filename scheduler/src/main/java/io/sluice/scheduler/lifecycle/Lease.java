// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.lifecycle;

/** The leadership of this server as a lease that is valid without asking the database. */
@FunctionalInterface
public interface Lease {
  /** The lease of a server that does not lead. */
  Lease NONE = () -> false;

  /** Whether this server leads and may act: its lease is not about to expire. */
  boolean holds();
}
