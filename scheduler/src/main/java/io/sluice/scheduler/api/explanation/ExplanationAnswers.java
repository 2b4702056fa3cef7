// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.explanation;

import io.sluice.admission.explain.Explanation;
import io.sluice.admission.explain.RungAccount;
import io.sluice.admission.explain.SmallestChange;
import io.sluice.admission.flavor.Obstacle;
import io.sluice.admission.preview.Alternative;
import io.sluice.admission.state.record.HeadStart;
import io.sluice.admission.state.record.Hold;
import io.sluice.admission.topology.Refusals;
import io.sluice.manifests.field.DurationNotation;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.PlannedStart;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.restmodel.Listed;
import io.sluice.restmodel.explanation.JobExpectedStart;
import io.sluice.restmodel.explanation.JobExplanation;
import io.sluice.restmodel.explanation.JobExplanation.AttemptInTheWay;
import io.sluice.restmodel.explanation.JobExplanation.ChangePart;
import io.sluice.restmodel.explanation.JobExplanation.FlavorObstacle;
import io.sluice.restmodel.explanation.JobExplanation.NeededChange;
import io.sluice.restmodel.explanation.JobExplanation.OthersInTheWay;
import io.sluice.restmodel.explanation.JobExplanation.SubmitterLimit;
import io.sluice.restmodel.explanation.JobHeadStart;
import io.sluice.restmodel.explanation.JobHold;
import io.sluice.restmodel.explanation.JobPlannedStart;
import io.sluice.restmodel.explanation.RungView;
import io.sluice.restmodel.pipeline.ExpectedFinish;
import io.sluice.restmodel.pipeline.RunPlace;
import io.sluice.scheduler.estimate.ExpectedStart;
import io.sluice.scheduler.pipeline.run.StoredRun;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Converts the parts of an explanation for answers. */
public final class ExplanationAnswers {
  private ExplanationAnswers() {}

  /** The holder of a job, and the start of the hold; null if the job is not held. */
  public static @Nullable JobHold hold(@Nullable Hold hold) {
    return hold == null ? null : new JobHold(hold.by(), hold.since());
  }

  /** The head start of a job; null if it has none. */
  public static @Nullable JobHeadStart headStart(@Nullable HeadStart headStart) {
    return headStart == null
        ? null
        : new JobHeadStart(
            headStart.time().toString(), headStart.by(), headStart.reason(), headStart.since());
  }

  /** The planned start of a job; null if it has none. */
  public static @Nullable JobPlannedStart plannedStart(@Nullable PlannedStart planned) {
    return planned == null
        ? null
        : new JobPlannedStart(
            planned.at(), planned.firm(), flavors(planned.wanted()), planned.wanted().slices());
  }

  /**
   * The expected start of a job; null if there is none. A range that has begun begins now.
   *
   * @param now the present time
   */
  public static @Nullable JobExpectedStart expectedStart(
      @Nullable ExpectedStart expected, Instant now) {
    if (expected == null) {
      return null;
    }
    Instant from = expected.earliest().isBefore(now) ? now : expected.earliest();
    Instant to = expected.latest();
    return new JobExpectedStart(
        from, to != null && to.isBefore(from) ? from : to, expected.confidence());
  }

  /** The flavors of an assignment, each once, by name. */
  public static List<String> flavors(Assignment assignment) {
    TreeSet<String> flavors = new TreeSet<>();
    assignment.podSets().forEach(podSet -> flavors.addAll(podSet.flavors().values()));
    return List.copyOf(flavors);
  }

  /**
   * The job's state on the rungs of its class; null without a class. Rungs count from 1, as in the
   * manifest.
   */
  public static @Nullable List<RungView> rungs(Explanation explanation) {
    return explanation.rungs().isEmpty()
        ? null
        : explanation.rungs().stream().map(ExplanationAnswers::rung).toList();
  }

  private static RungView rung(RungAccount rung) {
    return new RungView(
        rung.rung() + 1,
        rung.capacityType().word(),
        rung.standing().name(),
        rung.since(),
        rung.until(),
        rung.pricePerChipHour() == null ? null : rung.pricePerChipHour().toPlainString());
  }

  static List<FlavorObstacle> obstacles(Explanation explanation) {
    return explanation.obstacles().stream().map(ExplanationAnswers::obstacle).toList();
  }

  private static FlavorObstacle obstacle(Obstacle obstacle) {
    boolean ofSlices =
        obstacle.kind() == Obstacle.Kind.TOO_FEW_SLICES
            || obstacle.kind() == Obstacle.Kind.NO_MATCHING_SLICES
            || obstacle.kind() == Obstacle.Kind.SLICES_ABSENT
            || obstacle.kind() == Obstacle.Kind.SLICES_SCATTERED
            || obstacle.kind() == Obstacle.Kind.SLICES_IN_USE;
    Refusals refusals = obstacle.refusals();
    return new FlavorObstacle(
        obstacle.kind().name(),
        obstacle.podSet(),
        obstacle.flavor(),
        obstacle.resource().value(),
        ofSlices ? "slices" : "quantity",
        amount(obstacle, obstacle.wanted(), ofSlices),
        amount(obstacle, obstacle.available(), ofSlices),
        amount(obstacle, obstacle.most(), ofSlices),
        refusals == null ? null : refusals.slices(),
        refusals == null ? null : refusals.unmet());
  }

  private static String amount(Obstacle obstacle, long amount, boolean ofSlices) {
    return ofSlices ? Long.toString(amount) : Quantities.format(amount, obstacle.resource());
  }

  static @Nullable SubmitterLimit submitter(Explanation explanation) {
    Explanation.SubmitterCount submitter = explanation.account().submitter();
    return submitter == null
        ? null
        : new SubmitterLimit(submitter.name(), submitter.running(), submitter.limit());
  }

  static Listed<AttemptInTheWay> inTheWay(Explanation explanation) {
    return new Listed<>(
        explanation.inTheWay().count(),
        explanation.inTheWay().first().stream().map(ExplanationAnswers::inTheWay).toList());
  }

  /** Attempts of jobs that the caller may not read, by ClusterQueue; null if there are none. */
  static @Nullable List<OthersInTheWay> othersInTheWay(Explanation explanation) {
    List<OthersInTheWay> others =
        explanation.inTheWay().hidden().stream()
            .map(
                group ->
                    new OthersInTheWay(group.clusterQueue(), group.attempts(), group.latestEnd()))
            .toList();
    return others.isEmpty() ? null : others;
  }

  private static AttemptInTheWay inTheWay(Explanation.Holder holder) {
    return new AttemptInTheWay(
        holder.attempt().job().toString(),
        holder.attempt().index(),
        holder.attempt().attempt(),
        holder.name(),
        holder.clusterQueue(),
        holder.priority(),
        holder.draining(),
        holder.latestEnd());
  }

  /** A change of one part as that part, one of several parts as a list. */
  static NeededChange change(SmallestChange change) {
    if (change.verdict() != SmallestChange.Verdict.CHANGE) {
      return new NeededChange(change.verdict().name(), null, null, null, null);
    }
    List<ChangePart> parts = change.parts().stream().map(ExplanationAnswers::part).toList();
    if (parts.size() > 1) {
      return new NeededChange("ALL_OF", null, null, null, parts);
    }
    ChangePart only = parts.get(0);
    return new NeededChange(only.kind(), only.subject(), only.resource(), only.amount(), null);
  }

  /** Changes of the job itself; null if none was found. */
  static @Nullable List<JobExplanation.Alternative> alternatives(List<Alternative> found) {
    return found.isEmpty() ? null : found.stream().map(ExplanationAnswers::alternative).toList();
  }

  private static JobExplanation.Alternative alternative(Alternative one) {
    if (one instanceof Alternative.ShorterLimit shorter) {
      String limit = DurationNotation.format(shorter.limit());
      return new JobExplanation.Alternative("SHORTER_TIME_LIMIT", limit, null, null, null);
    }
    if (one instanceof Alternative.FewerSlices fewer) {
      return new JobExplanation.Alternative("FEWER_SLICES", null, fewer.slices(), null, null);
    }
    if (one instanceof Alternative.OtherComputeClass other) {
      return new JobExplanation.Alternative(
          "OTHER_COMPUTE_CLASS", null, null, other.className(), null);
    }
    Alternative.HigherPriority higher = (Alternative.HigherPriority) one;
    return new JobExplanation.Alternative("HIGHER_PRIORITY", null, null, null, higher.className());
  }

  private static ChangePart part(SmallestChange.Part part) {
    boolean quota = part.kind() == SmallestChange.Kind.ADD_QUOTA;
    return new ChangePart(
        part.kind().name(),
        part.subject(),
        quota ? part.resource().value() : null,
        quota ? Quantities.format(part.amount(), part.resource()) : count(part.amount()));
  }

  private static @Nullable String count(long amount) {
    return amount > 0 ? Long.toString(amount) : null;
  }

  /** The run of a job, and its outlook; null if the job is part of no run. */
  static @Nullable RunPlace run(@Nullable StoredRun run) {
    if (run == null) {
      return null;
    }
    StoredRun.Outlook outlook = run.outlook();
    return new RunPlace(
        run.id().toString(),
        run.of().name(),
        outlook.deadline(),
        finish(outlook),
        outlook.lateness() == null ? null : outlook.lateness().name());
  }

  /** The interval in which a run is expected to end; null if unknown, or if it has ended. */
  public static @Nullable ExpectedFinish finish(StoredRun.Outlook outlook) {
    return outlook.expected() == null
        ? null
        : new ExpectedFinish(outlook.expected().earliest(), outlook.expected().latest());
  }
}
