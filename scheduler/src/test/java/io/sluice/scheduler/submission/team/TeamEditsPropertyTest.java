// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission.team;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.Cohort;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.team.Ceilings;
import io.sluice.scheduler.store.quota.Entitlement;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Random sequences of edits by administrators of the installation and of a team. Whatever the team
 * was permitted, it can do no more than the administrators left it, as {@link TeamPowers} finds.
 */
class TeamEditsPropertyTest {
  private static final int SEEDS = 400;
  private static final int EDITS = 60;

  @Test
  void noSequenceOfEditsEnlargesATeam() {
    int permitted = 0;
    int refused = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      TeamWorld world = new TeamWorld(seed);
      Random choice = new Random(seed);
      Entitlement entitlement = Entitlement.NONE;
      TeamPowers left = powers(world.objects());
      for (int edit = 0; edit < EDITS; edit++) {
        boolean byAdministrator = edit < 5 || choice.nextInt(12) == 0;
        List<Change> changes = byAdministrator ? world.administratorsEdit() : world.teamsEdit();
        Collection<QuotaObject> after = world.after(changes);
        if (changes.isEmpty() || !stands(after)) {
          continue;
        }
        QuotaNodes before = world.nodes();
        if (byAdministrator) {
          world.apply(changes);
          Entitlement made = TeamPart.of(world.team(), world.nodes()).amounts();
          if (!made.equals(TeamPart.of(world.team(), before).amounts())) {
            entitlement = made;
            left = powers(after);
          }
          continue;
        }
        AdministeredTeam team = new AdministeredTeam(world.team(), entitlement);
        if (new TeamEditCheck(List.of(team), before, changes).refusal() == null) {
          permitted++;
          String which = "seed " + seed + ", edit " + edit + ": " + changes;
          checkPlaces(which, world.objects(), after, changes);
          checkPowers(which, left, powers(after), world.team().ceilings());
          world.apply(changes);
        } else {
          refused++;
        }
      }
    }
    assertThat(permitted).isGreaterThan(SEEDS);
    assertThat(refused).isGreaterThan(SEEDS);
  }

  private static TeamPowers powers(Collection<QuotaObject> objects) {
    return TeamPowers.of(objects, TeamWorld.ROOT, TeamWorld.NEIGHBOUR, TeamWorld.TOP);
  }

  /** Whether the other checks of edits would permit it: no cycles, and no member without parent. */
  private static boolean stands(Collection<QuotaObject> objects) {
    Map<String, String> parents = parents(objects);
    Set<String> cohorts = new TreeSet<>();
    for (QuotaObject object : objects) {
      if (object instanceof Cohort cohort) {
        cohorts.add(cohort.meta().name());
      }
    }
    for (String name : parents.keySet()) {
      Set<String> seen = new TreeSet<>();
      for (String at = name; at != null; at = parents.get(at)) {
        if (!seen.add(at)) {
          return false;
        }
      }
    }
    return cohorts.contains(TeamWorld.ROOT);
  }

  private static Map<String, String> parents(Collection<QuotaObject> objects) {
    Map<String, String> parents = new TreeMap<>();
    for (QuotaObject object : objects) {
      if (object instanceof Cohort cohort && cohort.parent() != null) {
        parents.put(cohort.meta().name(), cohort.parent());
      }
    }
    return parents;
  }

  /** Everything outside stays as it is, and nothing but what is new or gone changes sides. */
  private static void checkPlaces(
      String which,
      Collection<QuotaObject> before,
      Collection<QuotaObject> after,
      List<Change> changes) {
    for (Change change : changes) {
      for (Collection<QuotaObject> side : List.of(before, after)) {
        for (QuotaObject object : side) {
          if (object.key().equals(change.key())) {
            assertThat(isOfTeam(object, parents(side))).as(which).isTrue();
          }
        }
      }
    }
    Map<ObjectKey, Boolean> was = new TreeMap<>();
    before.forEach(object -> was.put(object.key(), isOfTeam(object, parents(before))));
    for (QuotaObject object : after) {
      Boolean side = was.get(object.key());
      assertThat(side == null || side == isOfTeam(object, parents(after))).as(which).isTrue();
    }
  }

  private static boolean isOfTeam(QuotaObject object, Map<String, String> parents) {
    String parent = null;
    if (object instanceof ClusterQueue queue) {
      parent = queue.cohort();
    } else if (object instanceof Cohort cohort) {
      parent = cohort.parent();
    }
    for (String at = parent; at != null; at = parents.get(at)) {
      if (at.equals(TeamWorld.ROOT)) {
        return true;
      }
    }
    return false;
  }

  private static void checkPowers(
      String which, TeamPowers left, TeamPowers has, Ceilings ceilings) {
    checkAtMost(which + ", nominal", has.nominal(), left.nominal());
    checkAtMost(which + ", taken", has.taken(), left.taken());
    Map<String, Long> most = new TreeMap<>(left.nominal());
    left.taken().forEach((flavor, amount) -> most.merge(flavor, Math.max(0, amount), Long::sum));
    checkAtMost(which + ", used", has.used(), most);
    checkAtMost(which + ", withheld", has.withheld(), left.withheld());
    assertThat(has.reclaim()).as(which).isLessThanOrEqualTo(ceilings.reclaimWithinCohort());
    assertThat(has.borrow()).as(which).isLessThanOrEqualTo(ceilings.borrowWithinCohort());
    assertThat(has.minRunTime()).as(which).isLessThanOrEqualTo(ceilings.minRunTime());
    assertThat(has.plannedStarts()).as(which).isLessThanOrEqualTo(ceilings.plannedStarts());
  }

  private static void checkAtMost(String which, Map<String, Long> is, Map<String, Long> most) {
    is.forEach(
        (flavor, amount) ->
            assertThat(Math.max(0, amount))
                .as(which)
                .isLessThanOrEqualTo(Math.max(0, most.getOrDefault(flavor, 0L))));
  }
}
