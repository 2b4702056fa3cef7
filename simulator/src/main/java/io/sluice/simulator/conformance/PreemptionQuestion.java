// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.admission.flavor.RoomNeed;
import io.sluice.admission.preemption.Victim;
import io.sluice.admission.preemption.VictimSearch;
import io.sluice.admission.preemption.Victims;
import io.sluice.admission.quota.FlavorResources;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.usage.Usage;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Answers which victims a workload with given flavors needs. */
final class PreemptionQuestion implements CaseQuestion {
  @Override
  public ObjectNode answer(ConformanceCase asked) {
    JsonNode action = asked.action();
    String queue = CaseFields.text(action, "clusterQueue", "");
    CaseWorkload incoming = new CaseWorkload(action.path("incoming"), asked.gates());
    CaseWorld world = new CaseWorld(asked, incoming, queue);
    JobEntry job = world.job(incoming);
    RoomNeed need = need(world.state(), job, action.path("assignment"));
    Victims victims =
        new VictimSearch(world.state())
            .find(job, need)
            .filter(found -> !found.nobody())
            .orElse(null);
    ObjectNode answer = CaseFields.object();
    ArrayNode preempted = answer.putArray("preempted");
    ArrayNode newly = answer.putArray("newlyEvicted");
    if (victims != null) {
      for (Victim victim : victims.attempts()) {
        CaseWorkload evicted = world.workload(victim.attempt().key().job());
        preempted
            .addObject()
            .put("workload", evicted.reference())
            .put("clusterQueue", victim.attempt().job().queue().name())
            .put("reason", victim.reason().word());
        if (!victim.attempt().draining()) {
          newly.add(evicted.reference());
        }
      }
    }
    world.faults().write(answer);
    return answer;
  }

  private static RoomNeed need(AdmissionState state, JobEntry job, JsonNode assignment) {
    FlavorResources numbers = state.ledger().tree().flavorResources();
    SortedMap<Integer, Long> amounts = new TreeMap<>();
    boolean[] lacking = new boolean[numbers.size()];
    for (JsonNode given : assignment.path("podSets")) {
      PodSet podSet = podSet(job, CaseFields.text(given, "name", ""));
      PodSet counted = podSet.withCount(given.path("count").asInt(podSet.count()));
      for (Map.Entry<String, JsonNode> flavor : given.path("flavors").properties()) {
        ResourceName resource = new ResourceName(flavor.getKey());
        String name = CaseFields.text(flavor.getValue(), "name", "");
        int number = numbers.find(name, resource);
        if (number < 0) {
          throw new UnanswerableCaseException("no quota is of " + resource + " in " + name);
        }
        long amount =
            resource.value().equals("pods") ? counted.count() : counted.total().get(resource);
        amounts.merge(number, amount, Math::addExact);
        lacking[number] |= CaseFields.text(flavor.getValue(), "mode", "").equals("Preempt");
      }
    }
    return RoomNeed.ofQuota(Usage.of(job.queue().node(), amounts), lacking, job.id());
  }

  private static PodSet podSet(JobEntry job, String name) {
    for (PodSet podSet : job.workload().shape().podSets()) {
      if (podSet.name().equals(name)) {
        return podSet;
      }
    }
    throw new UnanswerableCaseException(
        "the assignment names the unknown pod set \"" + name + "\"");
  }
}
