// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import java.util.Collection;
import java.util.List;

/** The roles that stored objects give to users and groups, beside those of their tokens. */
public interface GivenRoles {
  /**
   * The roles of a user.
   *
   * @param groups to which the identity provider says that the user belongs; tokens have none
   */
  List<Grant> of(String user, Collection<String> groups);
}
