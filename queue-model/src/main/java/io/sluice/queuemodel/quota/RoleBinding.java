// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.quota.policy.PodRules;
import io.sluice.queuemodel.quota.team.BindingRole;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives a role to users and groups of the identity provider, and to the names of tokens. Servers
 * read it; the engine carries it and decides nothing by it.
 *
 * @param namespaces for which it gives the role, where {@link #ALL} stands for all; empty for roles
 *     that are for all anyway
 * @param priorityCeiling highest priority that an operator may give to a job; null: any
 * @param pods what the pods of jobs may use that a submitter submits
 */
public record RoleBinding(
    ObjectMeta meta,
    BindingRole role,
    List<String> namespaces,
    List<String> users,
    List<String> groups,
    @Nullable Integer priorityCeiling,
    PodRules pods)
    implements QuotaObject {
  /** Stands for all namespaces. */
  public static final String ALL = "*";

  /** Most bindings of an installation. */
  public static final int COUNT_MAX = 5_000;

  public static final int NAMESPACES_MAX = 1_000;

  /** Most users, and most groups, of one binding. */
  public static final int SUBJECTS_MAX = 10_000;

  /** A binding with the usual rules for pods. */
  public RoleBinding(
      ObjectMeta meta,
      BindingRole role,
      List<String> namespaces,
      List<String> users,
      List<String> groups,
      @Nullable Integer priorityCeiling) {
    this(meta, role, namespaces, users, groups, priorityCeiling, PodRules.BASELINE);
  }

  public RoleBinding {
    namespaces = List.copyOf(namespaces);
    users = List.copyOf(users);
    groups = List.copyOf(groups);
  }

  @Override
  public ObjectKind kind() {
    return ObjectKind.ROLE_BINDING;
  }

  @Override
  public List<ObjectKey> references() {
    return List.of();
  }

  @Override
  public <R> R fold(Fold<R> fold) {
    return fold.roleBinding(this);
  }
}
