// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission.team;

import io.sluice.queuemodel.quota.Team;
import io.sluice.queuemodel.quota.team.Member;
import io.sluice.queuemodel.quota.team.MemberRole;
import io.sluice.scheduler.store.quota.Entitlement;
import java.util.Collection;

/**
 * A team that the caller administers.
 *
 * @param entitlement what administrators of the installation gave to it
 */
public record AdministeredTeam(Team team, Entitlement entitlement) {
  /** Whether a team has this user, or one of these groups, as its administrator. */
  public static boolean administers(Team team, String user, Collection<String> groups) {
    for (Member member : team.members()) {
      boolean means =
          member.isGroup() ? groups.contains(member.name()) : member.name().equals(user);
      if (means && member.role() == MemberRole.ADMINISTRATOR) {
        return true;
      }
    }
    return false;
  }

  String name() {
    return team.meta().name();
  }
}
