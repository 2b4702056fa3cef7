// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.quota;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.field.DurationNotation;
import io.sluice.manifests.field.FieldWriter;
import io.sluice.manifests.field.Schema;
import io.sluice.queuemodel.quota.RoleBinding;
import io.sluice.queuemodel.quota.Team;
import io.sluice.queuemodel.quota.team.Ceilings;
import io.sluice.queuemodel.quota.team.Member;
import java.util.List;

/** Writes teams, with the ceilings spelled out, and role bindings. */
final class TeamWriter {
  private TeamWriter() {}

  static ObjectNode team(Team team) {
    ObjectNode top = FieldWriter.manifest(Schema.OURS, team.kind().kind(), team.meta());
    ObjectNode spec = top.putObject("spec");
    putList(spec, "namespaces", team.namespaces());
    FieldWriter.putText(spec, "cohort", team.cohort());
    FieldWriter.putText(spec, "clusterQueue", team.clusterQueue());
    if (!team.members().isEmpty()) {
      ArrayNode members = spec.putArray("members");
      for (Member member : team.members()) {
        members
            .addObject()
            .put(member.isGroup() ? "group" : "user", member.name())
            .put("role", member.role().word());
      }
    }
    put(spec.putObject("ceilings"), team.ceilings());
    PodRuleFields.put(spec, team.pods());
    return top;
  }

  private static void put(ObjectNode node, Ceilings ceilings) {
    node.put("reclaimWithinCohort", ceilings.reclaimWithinCohort().word());
    node.put("borrowWithinCohort", ceilings.borrowWithinCohort().word());
    node.put("minRunTime", DurationNotation.format(ceilings.minRunTime()));
    node.put("plannedStarts", ceilings.plannedStarts());
    if (ceilings.priority() != null) {
      node.put("priority", ceilings.priority());
    }
    putList(node, "priorityClasses", ceilings.priorityClasses());
    putList(node, "computeClasses", ceilings.computeClasses());
  }

  static ObjectNode roleBinding(RoleBinding binding) {
    ObjectNode top = FieldWriter.manifest(Schema.OURS, binding.kind().kind(), binding.meta());
    ObjectNode spec = top.putObject("spec");
    spec.put("role", binding.role().word());
    putList(spec, "namespaces", binding.namespaces());
    putList(spec, "users", binding.users());
    putList(spec, "groups", binding.groups());
    if (binding.priorityCeiling() != null) {
      spec.put("priorityCeiling", binding.priorityCeiling());
    }
    PodRuleFields.put(spec, binding.pods());
    return top;
  }

  static void putList(ObjectNode node, String field, List<String> texts) {
    if (!texts.isEmpty()) {
      FieldWriter.putTexts(node, field, texts);
    }
  }
}
