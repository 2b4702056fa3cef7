// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.given;

import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.RoleBinding;
import io.sluice.queuemodel.quota.Team;
import io.sluice.queuemodel.quota.team.BindingRole;
import io.sluice.queuemodel.quota.team.Member;
import io.sluice.queuemodel.quota.team.MemberRole;
import io.sluice.scheduler.security.Grant;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.security.Role;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The roles that teams and role bindings give, by user and by group. Immutable. */
final class RoleIndex {
  private final List<QuotaObject> source;
  private final Map<String, List<Grant>> ofUser = new HashMap<>();
  private final Map<String, List<Grant>> ofGroup = new HashMap<>();

  /** The index of these teams and role bindings. */
  RoleIndex(List<QuotaObject> source) {
    this.source = source;
    for (QuotaObject object : source) {
      if (object instanceof Team team) {
        add(team);
      } else if (object instanceof RoleBinding binding) {
        add(binding);
      }
    }
  }

  /** Whether it was made of this very list, which is the same as long as nothing has changed. */
  @SuppressWarnings("ReferenceEquality") // the list is immutable, and a comparison would be slow
  boolean isOf(List<QuotaObject> list) {
    return source == list;
  }

  private void add(Team team) {
    if (team.namespaces().isEmpty()) {
      return;
    }
    NamespaceScope scope = NamespaceScope.of(team.namespaces());
    Map<MemberRole, Grant> grants = new EnumMap<>(MemberRole.class);
    for (Member member : team.members()) {
      Grant grant =
          grants.computeIfAbsent(
              member.role(), role -> new Grant(role(role), scope, null, team.pods()));
      add(member.isGroup() ? ofGroup : ofUser, member.name(), grant);
    }
  }

  private void add(RoleBinding binding) {
    NamespaceScope scope =
        binding.role().isOfAllNamespaces()
            ? NamespaceScope.ALL
            : NamespaceScope.of(binding.namespaces());
    Grant grant =
        binding.role() == BindingRole.SUBMITTER
            ? new Grant(role(binding.role()), scope, null, binding.pods())
            : new Grant(role(binding.role()), scope, binding.priorityCeiling());
    binding.users().forEach(user -> add(ofUser, user, grant));
    binding.groups().forEach(group -> add(ofGroup, group, grant));
  }

  private static void add(Map<String, List<Grant>> index, String name, Grant grant) {
    index.computeIfAbsent(name, absent -> new ArrayList<>(1)).add(grant);
  }

  private static Role role(MemberRole role) {
    return switch (role) {
      case VIEWER -> Role.VIEWER;
      case SUBMITTER -> Role.SUBMITTER;
      case OPERATOR -> Role.OPERATOR;
      case ADMINISTRATOR -> Role.TEAM_ADMINISTRATOR;
    };
  }

  private static Role role(BindingRole role) {
    return switch (role) {
      case VIEWER -> Role.VIEWER;
      case SUBMITTER -> Role.SUBMITTER;
      case OPERATOR -> Role.OPERATOR;
      case AUDITOR -> Role.AUDITOR;
      case ADMIN -> Role.ADMIN;
    };
  }

  /** The roles of a user with these groups, each once for each object that gives it. */
  List<Grant> of(String user, Collection<String> groups) {
    List<Grant> own = ofUser.getOrDefault(user, List.of());
    if (groups.isEmpty() || ofGroup.isEmpty()) {
      return List.copyOf(own);
    }
    List<Grant> all = new ArrayList<>(own);
    for (String group : groups) {
      all.addAll(ofGroup.getOrDefault(group, List.of()));
    }
    return all;
  }
}
