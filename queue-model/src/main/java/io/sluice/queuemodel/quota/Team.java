// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.quota.policy.PodRules;
import io.sluice.queuemodel.quota.team.Ceilings;
import io.sluice.queuemodel.quota.team.Member;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The owner of namespaces and of a part of the quota tree, with its members. Servers read it; the
 * engine carries it and decides nothing by it.
 *
 * @param cohort the root of its part of the quota tree; null if that is a ClusterQueue, or if it
 *     has none
 * @param clusterQueue the root, if it is a ClusterQueue
 * @param pods what the pods of jobs may use that members submit
 */
public record Team(
    ObjectMeta meta,
    List<String> namespaces,
    @Nullable String cohort,
    @Nullable String clusterQueue,
    List<Member> members,
    Ceilings ceilings,
    PodRules pods)
    implements QuotaObject {
  /** Most teams of an installation. */
  public static final int COUNT_MAX = 5_000;

  public static final int NAMESPACES_MAX = 1_000;
  public static final int MEMBERS_MAX = 10_000;

  /** A team whose jobs have the usual rules for pods. */
  public Team(
      ObjectMeta meta,
      List<String> namespaces,
      @Nullable String cohort,
      @Nullable String clusterQueue,
      List<Member> members,
      Ceilings ceilings) {
    this(meta, namespaces, cohort, clusterQueue, members, ceilings, PodRules.BASELINE);
  }

  public Team {
    namespaces = List.copyOf(namespaces);
    members = List.copyOf(members);
  }

  /** The root of its part of the quota tree; null if it has none. */
  public @Nullable ObjectKey root() {
    if (cohort != null) {
      return ObjectKey.of(ObjectKind.COHORT, cohort);
    }
    return clusterQueue == null ? null : ObjectKey.of(ObjectKind.CLUSTER_QUEUE, clusterQueue);
  }

  @Override
  public ObjectKind kind() {
    return ObjectKind.TEAM;
  }

  @Override
  public List<ObjectKey> references() {
    ObjectKey root = root();
    return root == null ? List.of() : List.of(root);
  }

  @Override
  public <R> R fold(Fold<R> fold) {
    return fold.team(this);
  }
}
