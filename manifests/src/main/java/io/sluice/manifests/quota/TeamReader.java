// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.quota;

import io.sluice.manifests.field.MetadataReader;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.RoleBinding;
import io.sluice.queuemodel.quota.Team;
import io.sluice.queuemodel.quota.policy.PodRules;
import io.sluice.queuemodel.quota.policy.PreemptionPolicy;
import io.sluice.queuemodel.quota.policy.QueuePreemption;
import io.sluice.queuemodel.quota.team.BindingRole;
import io.sluice.queuemodel.quota.team.Ceilings;
import io.sluice.queuemodel.quota.team.Member;
import io.sluice.queuemodel.quota.team.MemberRole;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads teams and role bindings. */
final class TeamReader {
  private static final int NAME_LENGTH_MAX = 253;
  private static final List<MemberRole> MEMBER_ROLES = List.of(MemberRole.values());
  private static final List<BindingRole> BINDING_ROLES = List.of(BindingRole.values());
  private static final List<PreemptionPolicy> RECLAIM =
      List.of(PreemptionPolicy.NEVER, PreemptionPolicy.LOWER_PRIORITY, PreemptionPolicy.ANY);
  private static final List<PreemptionPolicy> BORROW =
      List.of(PreemptionPolicy.NEVER, PreemptionPolicy.LOWER_PRIORITY);

  private TeamReader() {}

  /** The team, of use only if the cursor's violations are empty then. */
  static Team team(ObjectCursor top) {
    ObjectMeta meta = MetadataReader.global(top, ObjectKind.TEAM.kind(), null);
    try {
      Names.requireLabel(meta.name());
    } catch (InvalidValueException longer) {
      // LocalQueues name it in a label.
      String message = String.valueOf(longer.getMessage());
      top.violations().add(top.path("metadata").field("name"), meta.name(), message);
    }
    ObjectCursor spec = top.objectOrEmpty("spec", "a Team's spec");
    List<String> namespaces = unique(spec, "namespaces", Team.NAMESPACES_MAX, Names::requireLabel);
    String cohort = spec.text("cohort", Names::requireSubdomain);
    String clusterQueue = spec.text("clusterQueue", Names::requireSubdomain);
    if (cohort != null && clusterQueue != null) {
      spec.refuse("clusterQueue", "must not be there beside cohort: a team has one root");
    }
    List<Member> members = members(spec);
    Ceilings ceilings = ceilings(spec);
    PodRules pods = PodRuleFields.read(spec);
    spec.end();
    return new Team(meta, namespaces, cohort, clusterQueue, members, ceilings, pods);
  }

  private static List<Member> members(ObjectCursor spec) {
    TreeSet<String> seen = new TreeSet<>();
    return spec.objects(
        "members",
        Team.MEMBERS_MAX,
        "a member",
        entry -> {
          String user = entry.text("user", TeamReader::requireName);
          String group = entry.text("group", TeamReader::requireName);
          entry.require("role");
          MemberRole role = entry.word("role", MEMBER_ROLES, MemberRole::word, MemberRole.VIEWER);
          entry.end();
          if (entry.has("user") == entry.has("group")) {
            entry.refuse("user", "must be there or group, and not both");
            return null;
          }
          boolean isGroup = user == null;
          String name = isGroup ? group : user;
          if (name == null) {
            return null;
          }
          if (!seen.add((isGroup ? "group " : "user ") + role.word() + " " + name)) {
            entry.refuse(isGroup ? "group" : "user", "has this role twice");
          }
          return new Member(name, isGroup, role);
        });
  }

  private static Ceilings ceilings(ObjectCursor spec) {
    ObjectCursor cursor = spec.object("ceilings", "ceilings");
    if (cursor == null) {
      return Ceilings.DEFAULT;
    }
    Duration minRunTime =
        cursor.duration("minRunTime", Duration.ZERO, QueuePreemption.MIN_RUN_TIME_MAX);
    Ceilings ceilings =
        new Ceilings(
            cursor.word(
                "reclaimWithinCohort", RECLAIM, PreemptionPolicy::word, PreemptionPolicy.NEVER),
            cursor.word(
                "borrowWithinCohort", BORROW, PreemptionPolicy::word, PreemptionPolicy.NEVER),
            minRunTime == null ? Duration.ZERO : minRunTime,
            cursor.whole(
                "plannedStarts", 0, Ceilings.PLANNED_STARTS_MAX, Ceilings.PLANNED_STARTS_DEFAULT),
            cursor.whole("priority", Integer.MIN_VALUE, Integer.MAX_VALUE),
            classes(cursor, "priorityClasses"),
            classes(cursor, "computeClasses"));
    cursor.end();
    return ceilings;
  }

  /** An empty list would read as no class, and means any. */
  private static List<String> classes(ObjectCursor cursor, String field) {
    if (cursor.isList(field) && !cursor.hasEntries(field)) {
      cursor.refuse(field, "must have at least one entry: leave it out to allow all");
    }
    return unique(cursor, field, Ceilings.CLASSES_MAX, Names::requireSubdomain);
  }

  /** The binding, of use only if the cursor's violations are empty then. */
  static RoleBinding roleBinding(ObjectCursor top) {
    ObjectMeta meta = MetadataReader.global(top, ObjectKind.ROLE_BINDING.kind(), null);
    ObjectCursor spec = top.objectOrEmpty("spec", "a RoleBinding's spec");
    spec.require("role");
    BindingRole role = spec.word("role", BINDING_ROLES, BindingRole::word, BindingRole.VIEWER);
    List<String> namespaces =
        unique(spec, "namespaces", RoleBinding.NAMESPACES_MAX, TeamReader::requireNamespace);
    if (role.isOfAllNamespaces() && spec.has("namespaces")) {
      spec.refuse("namespaces", "must not be there: the role " + role.word() + " is for all");
    } else if (!role.isOfAllNamespaces()
        && namespaces.isEmpty()
        && !spec.hasEntries("namespaces")) {
      spec.refuse("namespaces", "must have at least one entry; \"*\" stands for all");
    } else if (namespaces.contains(RoleBinding.ALL) && namespaces.size() > 1) {
      spec.refuse("namespaces", "must have no other entry beside \"*\"");
    }
    List<String> users = unique(spec, "users", RoleBinding.SUBJECTS_MAX, TeamReader::requireName);
    List<String> groups = unique(spec, "groups", RoleBinding.SUBJECTS_MAX, TeamReader::requireName);
    Integer ceiling = spec.whole("priorityCeiling", Integer.MIN_VALUE, Integer.MAX_VALUE);
    if (ceiling != null && role != BindingRole.OPERATOR) {
      spec.refuse("priorityCeiling", "must not be there: it is for the role operator");
    }
    PodRules pods = PodRuleFields.read(spec);
    if (spec.has("pods") && role != BindingRole.SUBMITTER) {
      spec.refuse("pods", "must not be there: it is for the role submitter");
    }
    spec.end();
    return new RoleBinding(meta, role, namespaces, users, groups, ceiling, pods);
  }

  static List<String> unique(
      ObjectCursor cursor, String field, int most, UnaryOperator<String> rule) {
    List<String> texts = cursor.texts(field, most, rule);
    if (new TreeSet<>(texts).size() < texts.size()) {
      cursor.refuse(field, "has an entry twice: " + firstRepeated(texts));
    }
    return texts;
  }

  private static @Nullable String firstRepeated(List<String> texts) {
    TreeSet<String> seen = new TreeSet<>();
    return texts.stream().filter(text -> !seen.add(text)).findFirst().orElse(null);
  }

  private static String requireNamespace(String name) {
    return name.equals(RoleBinding.ALL) ? name : Names.requireLabel(name);
  }

  /** Names of users and groups come from identity providers, so only control characters are out. */
  private static String requireName(String name) {
    boolean plain = name.codePoints().noneMatch(Character::isISOControl);
    if (name.isBlank() || name.length() > NAME_LENGTH_MAX || !plain || !name.equals(name.strip())) {
      throw new InvalidValueException(
          "must be a name of at most "
              + NAME_LENGTH_MAX
              + " characters, without control characters and without space around it");
    }
    return name;
  }
}
