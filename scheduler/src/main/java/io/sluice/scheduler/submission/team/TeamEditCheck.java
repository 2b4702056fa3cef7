// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission.team;

import io.sluice.manifests.field.DurationNotation;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.Team;
import io.sluice.queuemodel.quota.policy.PreemptionPolicy;
import io.sluice.queuemodel.quota.policy.QueuePreemption;
import io.sluice.queuemodel.quota.team.Ceilings;
import io.sluice.scheduler.store.quota.Entitlement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks an edit by administrators of teams as a whole. They may edit the LocalQueues in the
 * namespaces of their teams and the nodes strictly below the roots. After the edit, the nodes of a
 * team add up to no more than its entitlement, and none of its ClusterQueues is above its ceilings.
 *
 * <p>What the edit does inside these bounds is free: it divides only what the team has. Fair
 * weights, for example, compare a node with its siblings, and all siblings of a node below the root
 * belong to the same team.
 */
public final class TeamEditCheck {
  /** Most nodes below the root of a team, if one of its administrators edits them. */
  public static final int NODES_MAX = 1_000;

  private final List<Standing> teams;
  private final QuotaNodes before;
  private final QuotaNodes after;
  private final List<Change> edit;

  /** A team with its part of the quota tree before and after the edit. */
  private record Standing(AdministeredTeam of, TeamPart was, TeamPart is) {
    String name() {
      return of.name();
    }

    Team team() {
      return of.team();
    }
  }

  /**
   * A check of an edit.
   *
   * @param teams that the caller administers
   */
  public TeamEditCheck(List<AdministeredTeam> teams, QuotaNodes before, List<Change> edit) {
    this.before = before;
    this.edit = List.copyOf(edit);
    this.after = before.with(edit);
    this.teams =
        teams.stream()
            .map(
                team ->
                    new Standing(
                        team, TeamPart.of(team.team(), before), TeamPart.of(team.team(), after)))
            .toList();
  }

  /** The reason to refuse the edit, as {@code may not ...}; null if it is permitted. */
  public @Nullable String refusal() {
    List<Standing> edited = new ArrayList<>();
    for (Change change : edit) {
      Standing owner =
          switch (change.key().kind()) {
            case LOCAL_QUEUE -> ownerOfNamespace(change.key().namespace());
            case CLUSTER_QUEUE, COHORT -> ownerOfNode(change);
            case TOPOLOGY,
                RESOURCE_FLAVOR,
                WORKLOAD_PRIORITY_CLASS,
                COMPUTE_CLASS,
                BOOKING,
                OUTAGE,
                TEAM,
                ROLE_BINDING ->
                null;
          };
      if (owner == null) {
        return notTheirs(change.key());
      }
      if (change.key().kind() == ObjectKind.LOCAL_QUEUE) {
        String leads = leadsElsewhere(change, owner);
        if (leads != null) {
          return leads;
        }
      } else if (!edited.contains(owner)) {
        edited.add(owner);
      }
    }
    for (Standing team : edited) {
      String refusal = tooMuch(team);
      if (refusal != null) {
        return refusal;
      }
    }
    return null;
  }

  private @Nullable Standing ownerOfNamespace(String namespace) {
    for (Standing team : teams) {
      if (team.team().namespaces().contains(namespace)) {
        return team;
      }
    }
    return null;
  }

  /**
   * The team below whose root the node is before and after the edit, as far as it is there. So no
   * node enters or leaves a part: others move only with a node above them that changes.
   */
  private @Nullable Standing ownerOfNode(Change change) {
    for (Standing team : teams) {
      boolean was = team.was().below().contains(change.key());
      boolean is = team.is().below().contains(change.key());
      boolean wasElsewhere = !was && before.contains(change.key());
      boolean isElsewhere = !is && after.contains(change.key());
      if ((was || is) && !wasElsewhere && !isElsewhere) {
        return team;
      }
    }
    return null;
  }

  private String notTheirs(ObjectKey key) {
    List<String> words = new ArrayList<>();
    for (Standing team : teams) {
      ObjectKey root = team.team().root();
      words.add(
          "team %s: LocalQueues in %s%s"
              .formatted(
                  team.name(),
                  team.team().namespaces().isEmpty()
                      ? "no namespace"
                      : String.join(", ", team.team().namespaces()),
                  root == null ? "" : ", and ClusterQueues and Cohorts below " + root));
    }
    return "may not write %s, and not move it; may write for %s"
        .formatted(key, String.join("; ", words));
  }

  /** A LocalQueue must lead to the root, if that is a ClusterQueue, or to a queue below it. */
  private static @Nullable String leadsElsewhere(Change change, Standing team) {
    String elsewhere = leadsElsewhere(change.before(), team.was(), team);
    return elsewhere == null ? leadsElsewhere(change.after(), team.is(), team) : elsewhere;
  }

  private static @Nullable String leadsElsewhere(
      @Nullable QuotaObject object, TeamPart part, Standing team) {
    if (!(object instanceof LocalQueue queue)) {
      return null;
    }
    ObjectKey target = ObjectKey.of(ObjectKind.CLUSTER_QUEUE, queue.clusterQueue());
    return part.contains(target)
        ? null
        : "may not write %s: it leads to %s, which is not in the part of team %s"
            .formatted(queue.key(), target, team.name());
  }

  private @Nullable String tooMuch(Standing team) {
    TeamPart is = team.is();
    if (is.below().size() > NODES_MAX) {
      return "may not create more ClusterQueues and Cohorts: team %s would have %d, at most %d"
          .formatted(team.name(), is.below().size(), NODES_MAX);
    }
    String ceiling = aboveCeiling(team.of(), is);
    return ceiling == null ? aboveEntitlement(team.of(), is.amounts()) : ceiling;
  }

  private static @Nullable String aboveCeiling(AdministeredTeam team, TeamPart part) {
    Ceilings ceilings = team.team().ceilings();
    for (ClusterQueue queue : part.queuesBelow()) {
      QueuePreemption preemption = queue.policies().preemption();
      String found =
          above(
              "reclaimWithinCohort",
              preemption.reclaimWithinCohort(),
              ceilings.reclaimWithinCohort());
      if (found == null) {
        found =
            above(
                "borrowWithinCohort",
                preemption.borrowWithinCohort(),
                ceilings.borrowWithinCohort());
      }
      if (found == null && preemption.minRunTime().compareTo(ceilings.minRunTime()) > 0) {
        found =
            "minRunTime %s, above the ceiling %s"
                .formatted(
                    DurationNotation.format(preemption.minRunTime()),
                    DurationNotation.format(ceilings.minRunTime()));
      }
      if (found != null) {
        return "may not leave %s with %s of team %s".formatted(queue.key(), found, team.name());
      }
    }
    if (part.plannedStarts() > ceilings.plannedStarts()) {
      return "may not have more planned starts: the planned depths of the ClusterQueues of team %s would add up to %d, above the ceiling plannedStarts %d"
          .formatted(team.name(), part.plannedStarts(), ceilings.plannedStarts());
    }
    return null;
  }

  private static @Nullable String above(
      String field, PreemptionPolicy policy, PreemptionPolicy ceiling) {
    return policy.compareTo(ceiling) > 0
        ? "%s %s, above the ceiling %s".formatted(field, policy.word(), ceiling.word())
        : null;
  }

  private static @Nullable String aboveEntitlement(AdministeredTeam team, Entitlement made) {
    for (Entitlement.Pair pair : made.amounts().keySet()) {
      Entitlement.Amounts is = made.of(pair);
      Entitlement.Amounts most = team.entitlement().of(pair);
      String rule = null;
      long has = 0;
      long would = 0;
      if (is.nominal() > most.nominal()) {
        rule = "the nominal quota of its nodes";
        has = most.nominal();
        would = is.nominal();
      } else if (is.borrowed() > most.borrowed()) {
        rule = "what its queues may borrow from others (set borrowingLimit)";
        has = most.borrowed();
        would = is.borrowed();
      } else if (is.kept() > most.kept()) {
        rule = "the nominal quota that it keeps from others by lendingLimit";
        has = most.kept();
        would = is.kept();
      }
      if (rule != null) {
        return "may not give team %s more %s of flavor %s than it has: %s would be %s, and %s is entitled to %s"
            .formatted(
                team.name(),
                pair.resource(),
                pair.flavor(),
                rule,
                amount(would, pair),
                team.name(),
                amount(has, pair));
      }
    }
    return null;
  }

  private static String amount(long amount, Entitlement.Pair pair) {
    return amount == Long.MAX_VALUE ? "any amount" : Quantities.format(amount, pair.resource());
  }
}
