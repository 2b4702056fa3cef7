// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission.team;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.Cohort;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.Team;
import io.sluice.queuemodel.quota.policy.QueuePolicies;
import io.sluice.queuemodel.quota.policy.StopPolicy;
import io.sluice.queuemodel.quota.team.Ceilings;
import io.sluice.queuemodel.quota.team.Member;
import io.sluice.queuemodel.quota.team.MemberRole;
import io.sluice.scheduler.store.quota.Entitlement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Edits by administrators of teams at the borders of their parts. */
class TeamEditCheckTest {
  private static final List<QuotaObject> TREE =
      List.of(
          cohort("lab", null),
          cohort("red", "lab"),
          queue("red-main", "red"),
          queue("stray", "named"),
          queue("blue-main", "lab"));

  private static Cohort cohort(String name, @Nullable String parent) {
    return new Cohort(ObjectMeta.named(name), parent, List.of());
  }

  private static ClusterQueue queue(String name, String cohort) {
    return new ClusterQueue(ObjectMeta.named(name), cohort, List.of(), QueuePolicies.DEFAULT);
  }

  private static LocalQueue local(String namespace, String queue) {
    return new LocalQueue(ObjectMeta.named(namespace, "main"), queue, StopPolicy.NONE);
  }

  private static Team team(String name, @Nullable String cohort, @Nullable String queue) {
    List<Member> members =
        List.of(
            new Member("ann", false, MemberRole.ADMINISTRATOR),
            new Member("bob", false, MemberRole.OPERATOR),
            new Member("leads", true, MemberRole.ADMINISTRATOR));
    return new Team(
        ObjectMeta.named(name), List.of(name), cohort, queue, members, Ceilings.DEFAULT);
  }

  private static final Team RED = team("red", "red", null);
  private static final Team BLUE = team("blue", null, "blue-main");

  private static @Nullable String refusal(List<Team> teams, QuotaObject... written) {
    List<Change> edit = new ArrayList<>();
    for (QuotaObject object : written) {
      QuotaObject before =
          TREE.stream().filter(one -> one.key().equals(object.key())).findFirst().orElse(null);
      edit.add(Change.written(before, object));
    }
    return new TeamEditCheck(
            teams.stream().map(team -> new AdministeredTeam(team, Entitlement.NONE)).toList(),
            new QuotaNodes(TREE),
            edit)
        .refusal();
  }

  @Test
  void aCohortThatIsOnlyNamedIsNotTakenIn() {
    assertThat(refusal(List.of(RED), cohort("named", "red"))).contains("Cohort named");
    assertThat(refusal(List.of(RED), cohort("new", "red"), queue("more", "new"))).isNull();
  }

  @Test
  void aQueueMayNotNameACohortOutsideEvenIfItIsNew() {
    assertThat(refusal(List.of(RED), queue("red-main", "nowhere"))).contains("red-main");
    assertThat(refusal(List.of(RED), queue("more", "named"))).contains("more");
  }

  @Test
  void anAdministratorOfTwoTeamsMovesNothingBetweenThem() {
    Team lab = team("other", "other", null);
    assertThat(refusal(List.of(RED, lab), queue("red-main", "other"))).contains("red-main");
    assertThat(refusal(List.of(RED, BLUE), local("red", "blue-main"))).contains("leads to");
    assertThat(refusal(List.of(RED, BLUE), local("red", "red-main"), local("blue", "blue-main")))
        .isNull();
  }

  @Test
  void aRootThatIsAClusterQueueIsUsedAndNotEdited() {
    assertThat(refusal(List.of(BLUE), local("blue", "blue-main"))).isNull();
    assertThat(refusal(List.of(BLUE), queue("blue-main", "red"))).contains("blue-main");
    assertThat(refusal(List.of(BLUE), queue("more", "blue-main"))).contains("more");
  }

  @Test
  void administratorsAreUsersAndGroupsOfTheRightKind() {
    assertThat(AdministeredTeam.administers(RED, "ann", Set.of())).isTrue();
    assertThat(AdministeredTeam.administers(RED, "eve", Set.of("leads"))).isTrue();
    assertThat(AdministeredTeam.administers(RED, "bob", Set.of())).isFalse();
    assertThat(AdministeredTeam.administers(RED, "leads", Set.of("ann"))).isFalse();
  }

  @Test
  void aPartHasAtMostSoManyNodes() {
    List<QuotaObject> many = new ArrayList<>();
    for (int at = 0; at < TeamEditCheck.NODES_MAX; at++) {
      many.add(queue("queue-" + at, "red"));
    }
    QuotaObject[] all = many.toArray(QuotaObject[]::new);
    assertThat(refusal(List.of(RED), all)).contains("1001", "at most 1000");
  }
}
