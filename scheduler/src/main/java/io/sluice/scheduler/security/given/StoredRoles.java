// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.given;

import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.security.GivenRoles;
import io.sluice.scheduler.security.Grant;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;

/**
 * The roles that the teams and role bindings of the committed view give. Every server knows them by
 * the journal. A look-up takes two hash look-ups for a token; the index is made again by the first
 * look-up after one of the objects has changed. Thread-safe.
 */
@Singleton
final class StoredRoles implements GivenRoles {
  private final CommittedView view;
  private volatile RoleIndex index = new RoleIndex(List.of());

  StoredRoles(CommittedView view) {
    this.view = view;
  }

  @Override
  public List<Grant> of(String user, Collection<String> groups) {
    List<QuotaObject> present = view.memberships();
    RoleIndex known = index;
    if (!known.isOf(present)) {
      known = new RoleIndex(present);
      index = known;
    }
    return known.of(user, groups);
  }
}
