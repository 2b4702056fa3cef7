// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.explain;

import io.sluice.admission.explain.Explanation.SubmitterCount;
import io.sluice.admission.flavor.Obstacle;
import io.sluice.admission.state.record.Hold;
import io.sluice.admission.state.record.HostLosses;
import io.sluice.admission.topology.Refusals;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Formats an explanation as one English sentence. */
public final class ExplanationSentence {
  private static final int NAMED_MAX = 3;
  private static final String UNDECIDED =
      "appears to fit, but was not admitted: an internal error, see the server log; retried in each"
          + " round";

  private ExplanationSentence() {}

  /**
   * Returns the sentence, such as {@code needs 32 of google.com/tpu in flavor v6e, 0 available;
   * held by sweep-1, sweep-2}.
   */
  public static String of(Explanation explanation) {
    return switch (explanation.blocker()) {
      case NEXT_ROUND -> "will be admitted in the next round";
      case UNDECIDED -> UNDECIDED;
      case WAITING_FOR_START ->
          ("waits until %s started, at the latest until the start deadline %s:"
                  + " admission is blocked until then")
              .formatted(holders(explanation, "another job"), explanation.until());
      case WAITING_FOR_DRAIN ->
          "waits until " + holders(explanation, "the room that it will get") + " drained";
      case HELD -> held(explanation);
      case QUARANTINED -> quarantined(explanation);
      case SUBMITTER_LIMIT -> submitterLimit(explanation);
      case DRAINING -> draining(explanation);
      case STARTING -> "starting; evicted if it has not started by " + explanation.until();
      case STALLED ->
          "stalled: no progress within the progress deadline"
              + (explanation.until() == null ? "" : "; fails at " + explanation.until());
      case BACKOFF -> "failed or missed its start deadline; retried at " + explanation.until();
      case PARALLELISM -> "runs the maximum number of indices in parallel";
      case BEHIND_OTHERS ->
          "%s ahead of it in its queue"
              .formatted(
                  plural(explanation.ahead(), "job") + (explanation.ahead() == 1 ? " is" : " are"));
      case QUEUE_STOPPED -> "its queue " + explanation.change().subject() + " is stopped";
      case NAMESPACE_NOT_SELECTED ->
          "its ClusterQueue does not select namespace " + explanation.change().subject();
      case WAITING_FOR_CAPACITY -> waiting(explanation);
      case ALL_RUNGS_CLOSED -> allClosed(explanation);
      case COMPUTE_CLASS_MISSING ->
          "its compute class " + explanation.change().subject() + " does not exist";
      case NO_FLAVOR_OF_CLASS -> noFlavor(explanation);
      case QUOTA_IN_USE, SLICES_IN_USE, SLICES_SCATTERED -> inUse(explanation);
      case DATED_CAPACITY -> dated(explanation);
      case SLICES_ABSENT,
          CLUSTER_NOT_REACHED,
          TOO_FEW_SLICES,
          NO_MATCHING_SLICES,
          EXCEEDS_QUOTA,
          RESOURCE_NOT_COVERED,
          NODES_IN_USE,
          TOO_FEW_NODES,
          NO_TOPOLOGY,
          ONLY_BY_TOPOLOGY,
          NODE_SELECTOR,
          UNTOLERATED_TAINT,
          PLANNED_STARTS ->
          obstacle(explanation);
    };
  }

  private static String dated(Explanation explanation) {
    List<String> reasons = new ArrayList<>();
    for (Explanation.Dated dated : explanation.account().dated()) {
      String what =
          dated.clusterQueue() == null
              ? dated.object() + " takes away"
              : dated.object() + " keeps for ClusterQueue " + dated.clusterQueue();
      reasons.add(
          "%s what it would use from %s until %s".formatted(what, dated.from(), dated.until()));
    }
    return "could still run when a booking or an outage begins: "
        + String.join("; ", reasons)
        + (explanation.startsBy() == null ? "" : "; room by " + explanation.startsBy());
  }

  private static String draining(Explanation explanation) {
    return explanation.until() == null
        ? "its attempt is overdue: its quota and slices stay held until it drains or an"
            + " administrator confirms its loss"
        : "its attempt is draining; SIGKILL at %s; not yet confirmed ended"
            .formatted(explanation.until());
  }

  private static String noFlavor(Explanation explanation) {
    return "no flavor of its queue matches a rung of compute class %s"
        .formatted(explanation.change().subject());
  }

  private static String held(Explanation explanation) {
    Hold hold = Objects.requireNonNull(explanation.account().hold());
    return "held%s since %s; release it with ./sluice release %s"
        .formatted(
            hold.by().isEmpty() ? "" : " by " + hold.by(),
            hold.since(),
            explanation.change().subject());
  }

  private static String quarantined(Explanation explanation) {
    Hold hold = Objects.requireNonNull(explanation.account().hold());
    return "quarantined since %s after %d lost hosts in a row, which it may have caused;"
            .formatted(hold.since(), HostLosses.MAX)
        + " release it with ./sluice release "
        + explanation.change().subject();
  }

  private static String submitterLimit(Explanation explanation) {
    SubmitterCount submitter = Objects.requireNonNull(explanation.account().submitter());
    return "%s already runs %s in LocalQueue %s (limit %d)%s"
        .formatted(
            submitter.name().isEmpty() ? "an unknown submitter" : "submitter " + submitter.name(),
            plural(submitter.running(), "job"),
            explanation.change().subject(),
            submitter.limit(),
            explanation.inTheWay().count() == 0 ? "" : ": " + names(explanation));
  }

  /** Lists each rung that waits for capacity, with the start and end of the wait. */
  private static String waiting(Explanation explanation) {
    List<String> waits = new ArrayList<>();
    for (RungAccount rung : explanation.rungs()) {
      if (rung.standing() == RungAccount.Standing.CAPACITY_LACKS) {
        waits.add(
            "%s capacity (rung %d)%s%s"
                .formatted(
                    rung.capacityType().word(),
                    rung.rung() + 1,
                    rung.since() == null ? "" : ", since " + rung.since(),
                    rung.until() == null ? "" : ", until " + rung.until()));
      }
    }
    return "has quota and waits for " + String.join(" and ", waits);
  }

  /** Lists each rung with the reason why it is not used. */
  private static String allClosed(Explanation explanation) {
    List<String> rungs = new ArrayList<>();
    for (RungAccount rung : explanation.rungs()) {
      String end =
          rung.standing() == RungAccount.Standing.CLOSED
              ? "no capacity, retried at " + rung.until()
              : "no quota in the queue";
      rungs.add("%s (rung %d): %s".formatted(rung.capacityType().word(), rung.rung() + 1, end));
    }
    return String.join("; ", rungs);
  }

  private static String inUse(Explanation explanation) {
    Obstacle obstacle = closest(explanation);
    boolean scattered = explanation.blocker() == Blocker.SLICES_SCATTERED;
    String needs =
        explanation.blocker() != Blocker.QUOTA_IN_USE
            ? "needs %s of flavor %s, %d %s%s%s"
                .formatted(
                    plural(obstacle.wanted(), "slice"),
                    obstacle.flavor(),
                    obstacle.available(),
                    scattered ? "can be formed" : "free",
                    matching(obstacle),
                    scattered
                        ? ": enough hosts are free, but not contiguous or not in one block"
                        : "")
            : "needs %s of %s in flavor %s, %s available"
                .formatted(
                    amount(obstacle.wanted(), obstacle.resource()),
                    obstacle.resource(),
                    obstacle.flavor(),
                    amount(obstacle.available(), obstacle.resource()));
    String held = explanation.inTheWay().count() == 0 ? "" : "; held by " + names(explanation);
    String until =
        explanation.until() == null
            ? ""
            : "; may preempt from " + explanation.until() + ", after the minimum run time";
    return needs + held + until;
  }

  private static String obstacle(Explanation explanation) {
    Obstacle obstacle = closest(explanation);
    return switch (obstacle.kind()) {
      case SLICES_ABSENT ->
          ("needs %s of flavor %s; not provisioned, and the job names no compute class"
                  + " to request capacity")
              .formatted(plural(obstacle.wanted(), "slice"), obstacle.flavor());
      case TOO_FEW_SLICES ->
          "needs %s, flavor %s has %d in all"
              .formatted(plural(obstacle.wanted(), "slice"), obstacle.flavor(), obstacle.most());
      case NO_MATCHING_SLICES ->
          "needs %s of flavor %s%s"
              .formatted(plural(obstacle.wanted(), "slice"), obstacle.flavor(), matching(obstacle));
      case EXCEEDS_QUOTA ->
          "needs %s of %s in flavor %s; the limit of its queue, borrowing included, is %s"
              .formatted(
                  amount(obstacle.wanted(), obstacle.resource()),
                  obstacle.resource(),
                  obstacle.flavor(),
                  amount(obstacle.most(), obstacle.resource()));
      case RESOURCE_NOT_COVERED -> "its queue has no quota of " + obstacle.resource();
      case PLANNED_STARTS ->
          "needs %s of %s in flavor %s for longer than planned starts of other jobs permit"
              .formatted(
                  amount(obstacle.wanted(), obstacle.resource()),
                  obstacle.resource(),
                  obstacle.flavor());
      case CLUSTER_NOT_REACHED ->
          "the cluster of flavor %s has never been reached, so nothing is admitted to it"
              .formatted(obstacle.flavor());
      case NODES_IN_USE ->
          "%s: %d fit now; other work uses the nodes"
              .formatted(notClose(obstacle), obstacle.available());
      case TOO_FEW_NODES ->
          "%s: at most %d would fit even if the nodes were empty"
              .formatted(notClose(obstacle), obstacle.available());
      case NO_TOPOLOGY ->
          "its topology request needs a level that flavor %s does not have"
              .formatted(obstacle.flavor());
      case ONLY_BY_TOPOLOGY -> "flavor %s requires a topology request".formatted(obstacle.flavor());
      case NODE_SELECTOR ->
          "its pods select or require labels that flavor " + obstacle.flavor() + " does not offer";
      case UNTOLERATED_TAINT ->
          "its pods do not tolerate the taints of flavor " + obstacle.flavor();
      case QUOTA_IN_USE, SLICES_IN_USE, SLICES_SCATTERED -> inUse(explanation);
    };
  }

  private static String notClose(Obstacle obstacle) {
    boolean one = obstacle.wanted() == 1;
    return "%d %s of %s %s not fit close together in flavor %s"
        .formatted(
            obstacle.wanted(),
            one ? "pod (or group)" : "pods (or groups)",
            obstacle.podSet(),
            one ? "does" : "do",
            obstacle.flavor());
  }

  /** Returns how many slices meet the pods' requirements; empty if all do. */
  private static String matching(Obstacle obstacle) {
    Refusals refusals = obstacle.refusals();
    return refusals == null
        ? ""
        : "; only %d of %s %s the %s of its pods"
            .formatted(
                obstacle.most(),
                plural(refusals.slices(), "slice"),
                obstacle.most() == 1 ? "meets" : "meet",
                String.join(", ", refusals.unmet()));
  }

  /** Returns the obstacle from which the blocker was derived. */
  private static Obstacle closest(Explanation explanation) {
    return explanation.obstacles().stream()
        .filter(obstacle -> obstacle.kind().name().equals(explanation.blocker().name()))
        .findFirst()
        .orElseThrow();
  }

  private static String holders(Explanation explanation, String otherwise) {
    return explanation.inTheWay().count() == 0
        ? otherwise + " has"
        : names(explanation) + (explanation.inTheWay().count() == 1 ? " has" : " have");
  }

  private static String names(Explanation explanation) {
    List<String> names = new ArrayList<>();
    explanation.inTheWay().first().stream()
        .limit(NAMED_MAX)
        .forEach(holder -> names.add(holder.name()));
    int more = explanation.inTheWay().count() - names.size();
    for (Explanation.Group group : explanation.inTheWay().hidden()) {
      if (names.size() < NAMED_MAX) {
        names.add(plural(group.attempts(), "attempt") + " of ClusterQueue " + group.clusterQueue());
        more -= group.attempts();
      }
    }
    return String.join(", ", names) + (more > 0 ? " and " + more + " more" : "");
  }

  private static String plural(long count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }

  private static String amount(long amount, ResourceName resource) {
    return Quantities.format(amount, resource);
  }
}
