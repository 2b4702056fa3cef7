// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission.team;

import io.sluice.manifests.document.Violation;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.RoleBinding;
import io.sluice.queuemodel.quota.Team;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.store.quota.Entitlement;
import io.sluice.scheduler.store.quota.QuotaObjectRepository;
import io.sluice.scheduler.store.quota.TeamRepository;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The rules of teams in the transactions that write quota objects. The lock of those transactions
 * serializes them, so what is read here stays true until the commit.
 */
@ApplicationScoped
public class TeamAdministration {
  /** Most LocalQueues in the namespaces of a team, if one of its administrators creates them. */
  static final int LOCAL_QUEUES_MAX = 1_000;

  private final QuotaObjectRepository rows;
  private final TeamRepository besides;

  TeamAdministration(QuotaObjectRepository rows, TeamRepository besides) {
    this.rows = rows;
    this.besides = besides;
  }

  /**
   * Checks that the caller may write an object at all, whether it exists or not.
   *
   * @throws OverreachException if no administrator of a team may, or not in that namespace
   */
  public void checkKey(ObjectKey key, Caller caller) {
    boolean permitted =
        caller.mayEverywhere(Right.ADMINISTER)
            || QuotaNodes.isNode(key)
            || (key.kind() == ObjectKind.LOCAL_QUEUE && caller.may(Right.DIVIDE, key.namespace()));
    if (!permitted) {
      throw new OverreachException("%s, may not write %s".formatted(caller.described(), key));
    }
  }

  /**
   * Checks that the caller may make an edit: as an administrator of the installation, or of a team.
   *
   * @throws OverreachException naming the rule and the amounts
   */
  public void checkCaller(List<Change> edit, Caller caller) {
    if (edit.isEmpty() || caller.mayEverywhere(Right.ADMINISTER)) {
      return;
    }
    List<AdministeredTeam> administered = new ArrayList<>();
    for (QuotaObject object : rows.all(ObjectKind.TEAM)) {
      if (object instanceof Team team
          && AdministeredTeam.administers(team, caller.name(), caller.groups())) {
        administered.add(new AdministeredTeam(team, besides.entitlement(team.meta().name())));
      }
    }
    if (administered.isEmpty()) {
      throw new OverreachException(
          "%s, may not write %s".formatted(caller.described(), edit.get(0).key()));
    }
    String refusal = new TeamEditCheck(administered, storedNodes(), edit).refusal();
    if (refusal == null) {
      refusal = tooManyLocalQueues(administered, edit);
    }
    if (refusal != null) {
      throw new OverreachException(caller.described() + ", " + refusal);
    }
  }

  private @Nullable String tooManyLocalQueues(List<AdministeredTeam> teams, List<Change> edit) {
    for (AdministeredTeam team : teams) {
      List<String> namespaces = team.team().namespaces();
      long more =
          edit.stream()
              .filter(
                  change ->
                      change.key().kind() == ObjectKind.LOCAL_QUEUE
                          && change.before() == null
                          && namespaces.contains(change.key().namespace()))
              .count();
      long all = more == 0 ? 0 : more + rows.count(ObjectKind.LOCAL_QUEUE, namespaces);
      if (all > LOCAL_QUEUES_MAX) {
        return "may not create more LocalQueues: team %s would have %d, at most %d"
            .formatted(team.name(), all, LOCAL_QUEUES_MAX);
      }
    }
    return null;
  }

  /**
   * Violations of the rules that hold of all teams together.
   *
   * @param documents the numbers of the documents that change something, by the key of the object
   */
  public List<Violation> violations(List<Change> edit, Map<ObjectKey, Integer> documents) {
    List<Violation> violations = new ArrayList<>();
    if (edit.stream().noneMatch(TeamAdministration::concernsTeams)) {
      return violations;
    }
    SortedMap<String, Team> teams = storedTeams();
    apply(edit, teams);
    refuseTooMany(edit, documents, teams.size(), violations);
    if (teams.isEmpty()) {
      return violations;
    }
    boolean shapes =
        edit.stream()
            .anyMatch(
                change ->
                    QuotaNodes.isNode(change.key()) || change.key().kind() == ObjectKind.TEAM);
    violations.addAll(
        new TeamRules(teams.values(), documents)
            .violations(edit, shapes ? storedNodes().with(edit) : null, this::localQueues));
    return violations;
  }

  private static boolean concernsTeams(Change change) {
    return switch (change.key().kind()) {
      case COHORT, CLUSTER_QUEUE, LOCAL_QUEUE, TEAM, ROLE_BINDING -> true;
      case TOPOLOGY, RESOURCE_FLAVOR, WORKLOAD_PRIORITY_CLASS, COMPUTE_CLASS, BOOKING, OUTAGE ->
          false;
    };
  }

  private void refuseTooMany(
      List<Change> edit, Map<ObjectKey, Integer> documents, int teams, List<Violation> violations) {
    for (Change change : edit) {
      boolean created = change.before() == null && change.after() != null;
      ObjectKind kind = change.key().kind();
      boolean tooMany =
          created
              && ((kind == ObjectKind.TEAM && teams > Team.COUNT_MAX)
                  || (kind == ObjectKind.ROLE_BINDING
                      && rows.count(kind, List.of("")) >= RoleBinding.COUNT_MAX));
      if (tooMany) {
        int most = kind == ObjectKind.TEAM ? Team.COUNT_MAX : RoleBinding.COUNT_MAX;
        violations.add(
            new Violation(
                documents.getOrDefault(change.key(), 1),
                "kind",
                kind.kind(),
                "there would be more than " + most + " of them"));
        return;
      }
    }
  }

  private List<LocalQueue> localQueues(String namespace) {
    List<LocalQueue> queues = new ArrayList<>();
    for (QuotaObject object : rows.all(ObjectKind.LOCAL_QUEUE, namespace)) {
      if (object instanceof LocalQueue queue) {
        queues.add(queue);
      }
    }
    return queues;
  }

  private SortedMap<String, Team> storedTeams() {
    SortedMap<String, Team> teams = new TreeMap<>();
    for (QuotaObject object : rows.all(ObjectKind.TEAM)) {
      if (object instanceof Team team) {
        teams.put(team.meta().name(), team);
      }
    }
    return teams;
  }

  private static void apply(List<Change> edit, SortedMap<String, Team> teams) {
    for (Change change : edit) {
      if (change.key().kind() == ObjectKind.TEAM) {
        teams.remove(change.key().name());
      }
      if (change.after() instanceof Team team) {
        teams.put(team.meta().name(), team);
      }
    }
  }

  private QuotaNodes storedNodes() {
    List<QuotaObject> nodes = new ArrayList<>(rows.all(ObjectKind.CLUSTER_QUEUE));
    nodes.addAll(rows.all(ObjectKind.COHORT));
    return new QuotaNodes(nodes);
  }

  /**
   * Stores what follows from an edit that was permitted: the namespaces of teams, and what
   * administrators of the installation leave to teams. Call it before the objects are written.
   */
  public void follow(List<Change> edit, Caller caller) {
    List<Team> written = new ArrayList<>();
    for (Change change : edit) {
      if (change.after() instanceof Team team) {
        written.add(team);
      } else if (change.before() instanceof Team team) {
        besides.remove(team.meta().name());
      }
    }
    if (!written.isEmpty()) {
      besides.setNamespaces(written);
    }
    if (caller.mayEverywhere(Right.ADMINISTER)) {
      entitle(edit, written);
    }
  }

  /**
   * Stores the entitlement of each team that was written, or whose nodes add up to something else
   * than before. So an edit that changes no amount leaves to a team what it has given up for a
   * while.
   */
  private void entitle(List<Change> edit, List<Team> written) {
    boolean nodesChange = edit.stream().anyMatch(change -> QuotaNodes.isNode(change.key()));
    if (!nodesChange && written.isEmpty()) {
      return;
    }
    SortedMap<String, Team> teams = storedTeams();
    apply(edit, teams);
    if (teams.isEmpty()) {
      return;
    }
    QuotaNodes before = storedNodes();
    QuotaNodes after = before.with(edit);
    SortedSet<ObjectKey> touched = new TreeSet<>();
    for (Change change : edit) {
      touched.add(change.key());
      touched.addAll(before.above(change.key()));
      touched.addAll(after.above(change.key()));
    }
    for (Team team : teams.values()) {
      ObjectKey root = team.root();
      boolean isWritten = written.contains(team);
      if (!isWritten && (root == null || !touched.contains(root))) {
        continue;
      }
      Entitlement made = TeamPart.of(team, after).amounts();
      if (isWritten || !made.equals(TeamPart.of(team, before).amounts())) {
        besides.setEntitlement(team.meta().name(), made);
      }
    }
  }
}
