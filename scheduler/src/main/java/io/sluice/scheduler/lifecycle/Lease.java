// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.lifecycle;

/** The lead of this server for as long as it can be relied on without asking the database. */
@FunctionalInterface
public interface Lease {
  /** The lease of a server that does not lead. */
  Lease NONE = () -> false;

  /** Whether this server leads and may act: the lease is not near its end. */
  boolean holds();
}
