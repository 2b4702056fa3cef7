// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.given;

import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.scheduler.security.GivenRoles;
import io.sluice.scheduler.security.Grant;
import java.util.Collection;
import java.util.List;

/** The roles that some objects give, without a server that carries them. */
public final class IndexedRoles implements GivenRoles {
  private final RoleIndex index;

  /** The roles of these teams and role bindings. */
  public IndexedRoles(List<QuotaObject> objects) {
    this.index = new RoleIndex(objects);
  }

  @Override
  public List<Grant> of(String user, Collection<String> groups) {
    return index.of(user, groups);
  }
}
