// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission.team;

import io.sluice.manifests.document.Violation;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.Team;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What holds of all teams together, whoever writes: a namespace is in one team at most, no root is
 * in the part of another team, and LocalQueues in the namespaces of a team name no other team.
 */
public final class TeamRules {
  private static final int NAMED_MAX = 5;

  private final SortedMap<String, Team> teams = new TreeMap<>();
  private final SortedMap<String, Team> teamOfNamespace = new TreeMap<>();
  private final Map<ObjectKey, Integer> documents;
  private final List<Violation> violations = new ArrayList<>();

  /**
   * Rules for an edit.
   *
   * @param after all teams after it
   * @param documents the numbers of the documents that change something, by the key of the object
   */
  public TeamRules(Collection<Team> after, Map<ObjectKey, Integer> documents) {
    after.forEach(team -> teams.put(team.meta().name(), team));
    this.documents = documents;
  }

  /**
   * All violations of an edit.
   *
   * @param nodes of the quota tree after it; null: neither a node nor a root changes
   * @param localQueues those in a namespace, after the edit
   */
  public List<Violation> violations(
      List<Change> edit,
      @Nullable QuotaNodes nodes,
      Function<String, Collection<LocalQueue>> localQueues) {
    namespaces();
    if (nodes != null) {
      roots(edit, nodes);
    }
    for (Change change : edit) {
      if (change.after() instanceof LocalQueue queue) {
        label(queue);
      } else if (change.after() instanceof Team team) {
        labels(team, localQueues);
      }
    }
    return violations;
  }

  private void namespaces() {
    for (Team team : teams.values()) {
      for (int at = 0; at < team.namespaces().size(); at++) {
        String namespace = team.namespaces().get(at);
        Team other = teamOfNamespace.putIfAbsent(namespace, team);
        if (other != null) {
          boolean first = documents.containsKey(team.key());
          Team written = first ? team : other;
          int place = written.namespaces().indexOf(namespace);
          add(
              written.key(),
              "spec.namespaces[" + place + "]",
              namespace,
              "is a namespace of team %s: a namespace is in one team at most"
                  .formatted((first ? other : team).meta().name()));
        }
      }
    }
  }

  private void roots(List<Change> edit, QuotaNodes nodes) {
    SortedMap<ObjectKey, Team> roots = new TreeMap<>();
    for (Team team : teams.values()) {
      ObjectKey root = team.root();
      Team other = root == null ? null : roots.putIfAbsent(root, team);
      if (other != null && root != null) {
        boolean first = documents.containsKey(team.key());
        add(
            (first ? team : other).key(),
            field(root),
            root.name(),
            "is the root of team " + (first ? other : team).meta().name());
      }
    }
    roots.forEach(
        (root, team) -> {
          for (ObjectKey above : nodes.above(root)) {
            Team other = roots.get(above);
            if (other != null) {
              nested(edit, nodes, team, root, other);
              return;
            }
          }
        });
  }

  /** Blames the document of one of the teams, or that of a node between their roots. */
  private void nested(List<Change> edit, QuotaNodes nodes, Team lower, ObjectKey root, Team upper) {
    String message =
        "puts the root of team %s, %s, below that of team %s, %s"
            .formatted(lower.meta().name(), root, upper.meta().name(), upper.root());
    for (Team team : List.of(lower, upper)) {
      ObjectKey own = team.root();
      if (own != null && documents.containsKey(team.key())) {
        add(team.key(), field(own), own.name(), message);
        return;
      }
    }
    List<ObjectKey> path = new ArrayList<>(List.of(root));
    path.addAll(nodes.above(root));
    for (ObjectKey node : path) {
      if (documents.containsKey(node)) {
        boolean isCohort = node.kind() == ObjectKind.COHORT;
        add(node, isCohort ? "spec.parentName" : "spec.cohortName", node.name(), message);
        return;
      }
    }
    ObjectKey any = edit.get(0).key();
    add(any, "metadata.name", any.name(), message);
  }

  private static String field(ObjectKey root) {
    return root.kind() == ObjectKind.COHORT ? "spec.cohort" : "spec.clusterQueue";
  }

  private void label(LocalQueue queue) {
    Team team = teamOfNamespace.get(queue.meta().namespace());
    String label = queue.meta().labels().get(LocalQueue.TEAM_LABEL);
    if (team != null && label != null && !label.equals(team.meta().name())) {
      add(
          queue.key(),
          "metadata.labels[" + LocalQueue.TEAM_LABEL + "]",
          label,
          "must be %s, or be left out: namespace %s is in team %s"
              .formatted(team.meta().name(), queue.meta().namespace(), team.meta().name()));
    }
  }

  private void labels(Team team, Function<String, Collection<LocalQueue>> localQueues) {
    List<String> named = new ArrayList<>();
    for (String namespace : team.namespaces()) {
      for (LocalQueue queue : localQueues.apply(namespace)) {
        String label = queue.meta().labels().get(LocalQueue.TEAM_LABEL);
        if (label != null && !label.equals(team.meta().name()) && !isWritten(queue)) {
          named.add("%s (%s)".formatted(queue.key(), label));
        }
      }
    }
    if (!named.isEmpty()) {
      String more = named.size() > NAMED_MAX ? " and " + (named.size() - NAMED_MAX) + " more" : "";
      add(
          team.key(),
          "spec.namespaces",
          String.join(
              ", ", team.namespaces().subList(0, Math.min(NAMED_MAX, team.namespaces().size()))),
          "LocalQueues there name another team by the label %s: %s%s; change or remove the label first"
              .formatted(
                  LocalQueue.TEAM_LABEL,
                  String.join(", ", named.subList(0, Math.min(NAMED_MAX, named.size()))),
                  more));
    }
  }

  /** Whether the edit writes it, so that it is reported itself. */
  private boolean isWritten(QuotaObject object) {
    return documents.containsKey(object.key());
  }

  private void add(ObjectKey blamed, String field, String value, String message) {
    violations.add(new Violation(documents.getOrDefault(blamed, 1), field, value, message));
  }
}
