// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.explanation;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.admission.explain.Explanation;
import io.sluice.admission.explain.ExplanationSentence;
import io.sluice.admission.explain.RungAccount;
import io.sluice.admission.explain.SmallestChange;
import io.sluice.admission.flavor.Obstacle;
import io.sluice.admission.state.record.HeadStart;
import io.sluice.admission.state.record.Hold;
import io.sluice.admission.topology.Refusals;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.scheduler.execution.StartBlocker;
import io.sluice.scheduler.execution.StartWait;

/** An explanation as JSON for callers: typed, with numbers, and a sentence. */
public final class ExplanationJson {
  private ExplanationJson() {}

  /** Writes why an admitted job does not start; replaces the engine's explanation. */
  public static void write(StartWait waitsFor, ObjectNode json) {
    StartBlocker blocker = waitsFor.blocker();
    if (blocker != null) {
      json.put("blocker", blocker.name());
      json.put("cure", blocker.cure().name());
    }
    json.put("reason", waitsFor.sentence());
  }

  public static void write(Explanation explanation, ObjectNode json) {
    json.put("index", explanation.index().index());
    json.put("blocker", explanation.blocker().name());
    json.put("cure", explanation.blocker().cure().name());
    json.put("reason", ExplanationSentence.of(explanation));
    json.put("ahead", explanation.ahead());
    if (explanation.until() != null) {
      json.put("until", explanation.until().toString());
    }
    if (explanation.startsBy() != null) {
      json.put("startsBy", explanation.startsBy().toString());
    }
    ArrayNode obstacles = json.putArray("obstacles");
    for (Obstacle obstacle : explanation.obstacles()) {
      ObjectNode one = obstacles.addObject();
      boolean ofSlices =
          obstacle.kind() == Obstacle.Kind.TOO_FEW_SLICES
              || obstacle.kind() == Obstacle.Kind.NO_MATCHING_SLICES
              || obstacle.kind() == Obstacle.Kind.SLICES_ABSENT
              || obstacle.kind() == Obstacle.Kind.SLICES_SCATTERED
              || obstacle.kind() == Obstacle.Kind.SLICES_IN_USE;
      one.put("kind", obstacle.kind().name());
      one.put("podSet", obstacle.podSet());
      one.put("flavor", obstacle.flavor());
      one.put("resource", obstacle.resource().value());
      one.put("unit", ofSlices ? "slices" : "quantity");
      one.put("wanted", amount(obstacle, obstacle.wanted(), ofSlices));
      one.put("available", amount(obstacle, obstacle.available(), ofSlices));
      one.put("most", amount(obstacle, obstacle.most(), ofSlices));
      Refusals refusals = obstacle.refusals();
      if (refusals != null) {
        one.put("slicesLookedAt", refusals.slices());
        refusals.unmet().forEach(one.putArray("unmet")::add);
      }
    }
    rungs(explanation, json);
    if (explanation.account().hold() != null) {
      write(explanation.account().hold(), json);
    }
    Explanation.SubmitterCount submitter = explanation.account().submitter();
    if (submitter != null) {
      ObjectNode count = json.putObject("submitter");
      count.put("name", submitter.name());
      count.put("running", submitter.running());
      count.put("limit", submitter.limit());
    }
    writeInTheWay(explanation, json.putObject("inTheWay"));
    writeChange(explanation.change(), json.putObject("smallestChange"));
  }

  /** Writes the holder of a job, and the start of the hold. */
  public static void write(Hold hold, ObjectNode json) {
    ObjectNode one = json.putObject("hold");
    one.put("by", hold.by());
    one.put("since", hold.since().toString());
  }

  /** Writes the amount of a head start, its requester and its reason. */
  public static void write(HeadStart headStart, ObjectNode json) {
    ObjectNode one = json.putObject("headStart");
    one.put("time", headStart.time().toString());
    one.put("by", headStart.by());
    one.put("reason", headStart.reason());
    one.put("since", headStart.since().toString());
  }

  private static void writeInTheWay(Explanation explanation, ObjectNode inTheWay) {
    inTheWay.put("count", explanation.inTheWay().count());
    ArrayNode first = inTheWay.putArray("first");
    for (Explanation.Holder holder : explanation.inTheWay().first()) {
      ObjectNode one = first.addObject();
      one.put("job", holder.attempt().job().toString());
      one.put("index", holder.attempt().index());
      one.put("attempt", holder.attempt().attempt());
      one.put("name", holder.name());
      one.put("clusterQueue", holder.clusterQueue());
      one.put("priority", holder.priority());
      one.put("draining", holder.draining());
      if (holder.latestEnd() != null) {
        one.put("latestEnd", holder.latestEnd().toString());
      }
    }
  }

  /** Writes a change of one part in place, one of several parts as a list. */
  private static void writeChange(SmallestChange change, ObjectNode json) {
    if (change.verdict() != SmallestChange.Verdict.CHANGE) {
      json.put("kind", change.verdict().name());
    } else if (change.parts().size() == 1) {
      write(change.parts().get(0), json);
    } else {
      json.put("kind", "ALL_OF");
      ArrayNode parts = json.putArray("parts");
      change.parts().forEach(part -> write(part, parts.addObject()));
    }
  }

  private static void write(SmallestChange.Part part, ObjectNode json) {
    json.put("kind", part.kind().name());
    json.put("subject", part.subject());
    if (part.kind() == SmallestChange.Kind.ADD_QUOTA) {
      json.put("resource", part.resource().value());
      json.put("amount", Quantities.format(part.amount(), part.resource()));
    } else if (part.amount() > 0) {
      json.put("amount", Long.toString(part.amount()));
    }
  }

  /** Writes the job's state on the rungs of its class; rungs count from 1, as in the manifest. */
  public static void rungs(Explanation explanation, ObjectNode json) {
    if (explanation.rungs().isEmpty()) {
      return;
    }
    ArrayNode rungs = json.putArray("rungs");
    for (RungAccount rung : explanation.rungs()) {
      ObjectNode one = rungs.addObject();
      one.put("rung", rung.rung() + 1);
      one.put("capacityType", rung.capacityType().word());
      one.put("standing", rung.standing().name());
      if (rung.since() != null) {
        one.put("since", rung.since().toString());
      }
      if (rung.until() != null) {
        one.put("until", rung.until().toString());
      }
      if (rung.pricePerChipHour() != null) {
        one.put("pricePerChipHour", rung.pricePerChipHour().toPlainString());
      }
    }
  }

  private static String amount(Obstacle obstacle, long amount, boolean ofSlices) {
    return ofSlices ? Long.toString(amount) : Quantities.format(amount, obstacle.resource());
  }
}
