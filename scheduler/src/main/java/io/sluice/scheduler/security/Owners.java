// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import java.util.Collection;

/** The present rights of those for whom schedules and runs act. */
public interface Owners {
  /**
   * An owner with the roles that it has now; with none if it is not known any more.
   *
   * @param groups that its identity provider named when it saved the schedule or started the run
   */
  Caller now(String name, Collection<String> groups);
}
