// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.quota.RoleBinding;
import io.sluice.queuemodel.quota.Team;
import io.sluice.queuemodel.quota.policy.PodRules;
import io.sluice.queuemodel.quota.policy.PreemptionPolicy;
import io.sluice.queuemodel.quota.team.BindingRole;
import io.sluice.queuemodel.quota.team.Ceilings;
import io.sluice.queuemodel.quota.team.Member;
import io.sluice.queuemodel.quota.team.MemberRole;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes random teams and role bindings that a manifest can express. */
final class RandomTeams {
  private final Random random;

  RandomTeams(Random random) {
    this.random = random;
  }

  /** Its name is one label, as LocalQueues name it in a label. */
  Team team(ObjectMeta meta) {
    String name = meta.name().substring(meta.name().lastIndexOf('.') + 1);
    String root = random.nextBoolean() ? "root" : null;
    boolean cohort = random.nextBoolean();
    return new Team(
        new ObjectMeta("", name, meta.labels(), meta.annotations()),
        names("team"),
        cohort ? root : null,
        cohort ? null : root,
        members(),
        ceilings(),
        pods());
  }

  private List<Member> members() {
    List<Member> members = new ArrayList<>();
    for (String name : names("Ann Example ")) {
      MemberRole role = pick(MemberRole.values());
      members.add(new Member(name, random.nextBoolean(), role));
    }
    return members;
  }

  private Ceilings ceilings() {
    List<PreemptionPolicy> words = List.of(PreemptionPolicy.NEVER, PreemptionPolicy.LOWER_PRIORITY);
    return new Ceilings(
        random.nextBoolean() ? PreemptionPolicy.ANY : words.get(random.nextInt(2)),
        words.get(random.nextInt(2)),
        Duration.ofSeconds(random.nextInt(600_000)),
        random.nextInt(Ceilings.PLANNED_STARTS_MAX + 1),
        random.nextBoolean() ? random.nextInt() : null,
        names("high"),
        names("cheap"));
  }

  RoleBinding roleBinding(ObjectMeta meta) {
    BindingRole role = pick(BindingRole.values());
    List<String> namespaces = new ArrayList<>(List.of("main"));
    namespaces.addAll(names("team"));
    if (random.nextInt(4) == 0) {
      namespaces = List.of(RoleBinding.ALL);
    }
    return new RoleBinding(
        meta,
        role,
        role.isOfAllNamespaces() ? List.of() : namespaces,
        names("ann@example.com/"),
        names("CN=Group, "),
        role == BindingRole.OPERATOR && random.nextBoolean() ? random.nextInt() : null,
        role == BindingRole.SUBMITTER ? pods() : PodRules.BASELINE);
  }

  private PodRules pods() {
    return new PodRules(random.nextBoolean(), names("account"), names("secret."));
  }

  private List<String> names(String prefix) {
    List<String> names = new ArrayList<>();
    for (int at = random.nextInt(4); at > 0; at--) {
      names.add(prefix + at);
    }
    return names;
  }

  private <T> T pick(T[] choices) {
    return List.of(choices).get(random.nextInt(choices.length));
  }
}
