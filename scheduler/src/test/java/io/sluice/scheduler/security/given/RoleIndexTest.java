// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.given;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.RoleBinding;
import io.sluice.queuemodel.quota.Team;
import io.sluice.queuemodel.quota.team.BindingRole;
import io.sluice.queuemodel.quota.team.Ceilings;
import io.sluice.queuemodel.quota.team.Member;
import io.sluice.queuemodel.quota.team.MemberRole;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.Grant;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.security.Role;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Roles by user and by group, from teams and role bindings. */
class RoleIndexTest {
  private static Team team(String name, List<String> namespaces, Member... members) {
    return new Team(
        ObjectMeta.named(name), namespaces, null, null, List.of(members), Ceilings.DEFAULT);
  }

  private static RoleBinding binding(
      BindingRole role, List<String> namespaces, @Nullable Integer ceiling) {
    return new RoleBinding(
        ObjectMeta.named("one"), role, namespaces, List.of("bob"), List.of("sre"), ceiling);
  }

  private static List<Grant> of(QuotaObject object, String user, String... groups) {
    return new RoleIndex(List.of(object)).of(user, Set.of(groups));
  }

  @Test
  void aMemberHasTheRoleForTheNamespacesOfTheTeam() {
    Team team =
        team(
            "vision",
            List.of("vision", "dev"),
            new Member("ann", false, MemberRole.ADMINISTRATOR),
            new Member("leads", true, MemberRole.OPERATOR));
    NamespaceScope both = NamespaceScope.of(List.of("vision", "dev"));
    Grant divides = new Grant(Role.TEAM_ADMINISTRATOR, both);
    assertThat(of(team, "ann")).containsExactly(divides);
    assertThat(of(team, "ann", "leads")).containsExactly(divides, new Grant(Role.OPERATOR, both));
    assertThat(of(team, "eve", "leads")).containsExactly(new Grant(Role.OPERATOR, both));
    // A user with the name of a group is not in the group, and the other way round.
    assertThat(of(team, "leads")).isEmpty();
    assertThat(of(team, "eve", "ann")).isEmpty();
  }

  @Test
  void aTeamWithoutNamespacesGivesNoRole() {
    Team team = team("vision", List.of(), new Member("ann", false, MemberRole.ADMINISTRATOR));
    assertThat(of(team, "ann")).isEmpty();
  }

  @Test
  void aBindingGivesItsRoleWhereItSays() {
    assertThat(of(binding(BindingRole.ADMIN, List.of(), null), "bob"))
        .containsExactly(new Grant(Role.ADMIN, NamespaceScope.ALL));
    assertThat(of(binding(BindingRole.OPERATOR, List.of("*"), 7), "eve", "sre"))
        .containsExactly(new Grant(Role.OPERATOR, NamespaceScope.ALL, 7));
    assertThat(of(binding(BindingRole.VIEWER, List.of("vision"), null), "eve")).isEmpty();
  }

  @Test
  void theHighestCeilingOfThoseThatPermitAnEditCounts() {
    Grant low = new Grant(Role.OPERATOR, NamespaceScope.ALL, 5);
    Grant high = new Grant(Role.OPERATOR, NamespaceScope.of("vision"), 50);
    Grant reads = new Grant(Role.VIEWER, NamespaceScope.ALL);
    Grant submits = new Grant(Role.SUBMITTER, NamespaceScope.of("dev"));
    Caller caller = new Caller("bob", new TreeSet<>(), List.of(low, high, reads, submits));
    assertThat(caller.priorityCeiling("vision")).hasValue(50);
    assertThat(caller.priorityCeiling("other")).hasValue(5);
    assertThat(caller.priorityCeiling("dev")).isEmpty();
    assertThat(caller.may(Right.DIVIDE, "vision")).isFalse();
  }
}
