// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preview;

import io.sluice.admission.explain.Explainer;
import io.sluice.admission.explain.Explanation;
import io.sluice.admission.explain.SmallestChange;
import io.sluice.admission.explain.SmallestChange.Kind;
import io.sluice.admission.explain.SmallestChange.Part;
import io.sluice.admission.explain.SmallestChange.Verdict;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.ResourceGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds everything that must be added for a job to start, and verifies it with the engine on a copy
 * of the job's {@link Competitors}.
 *
 * <p>Algorithm: explain the job in the copy, add what its explanation requests, run the copy until
 * nothing more is decided, and repeat until the job is admitted. Then apply the sum at once to a
 * fresh copy, which must admit the job too, and drop every step that is not needed. It makes at
 * most {@link #STEPS_MAX} steps, and drops no more once it has made {@link #TRIALS_MAX} copies.
 */
public final class ChangeSearch {
  static final int STEPS_MAX = 48;
  static final int TRIALS_MAX = 12;

  /** Maximum number of slices or nodes that a step adds to a copy. */
  private static final int ADDED_MAX = 1_000;

  private static final long PLENTY_OF_QUOTA = 1L << 50;
  private static final int PLENTY_OF_SLICES = 64;

  private final Competitors competitors;
  private final EnginePolicy policy;
  private final BooleanSupplier goOn;
  private int trials;
  private boolean tooLarge;

  /**
   * Creates a search for a job.
   *
   * @param policy policy under which the state decides
   * @param goOn asked before each round; once it returns false, the change is unknown
   */
  public ChangeSearch(Competitors competitors, EnginePolicy policy, BooleanSupplier goOn) {
    this.competitors = competitors;
    this.policy = policy;
    this.goOn = goOn;
  }

  /** Returns whether an explanation names a change that a trial can verify. */
  public static boolean appliesTo(Explanation explanation) {
    SmallestChange change = explanation.change();
    return change.verdict() == Verdict.CHANGE
        && change.parts().stream().allMatch(part -> ChangeTrial.canApply(part.kind()));
  }

  /** Returns the change that lets the job start. */
  public SmallestChange find() {
    StateSnapshot snapshot = competitors.snapshot();
    if (snapshot == null) {
      return SmallestChange.UNKNOWN;
    }
    ChangeTrial first = trial(snapshot, List.of());
    if (first.started()) {
      return SmallestChange.WAIT;
    }
    List<Part> steps = new ArrayList<>();
    if (!extend(first, steps)) {
      return unfound(snapshot, steps);
    }
    ChangeTrial whole = trial(snapshot, steps);
    if (!whole.started()) {
      if (!extend(whole, steps)) {
        return unfound(snapshot, steps);
      }
      whole = trial(snapshot, steps);
    }
    if (!whole.started()) {
      return unfound(snapshot, steps);
    }
    Verified least = shrink(snapshot, new Verified(steps, whole));
    return goOn.getAsBoolean() && !usesUpAnyOf(least.trial())
        ? SmallestChange.of(ChangeTrial.sums(least.steps()))
        : SmallestChange.UNKNOWN;
  }

  /** Steps, and the copy that admitted the job when they were applied at once. */
  private record Verified(List<Part> steps, ChangeTrial trial) {}

  /** Reports that nothing helps only if plenty of quota and slices do not help either. */
  private SmallestChange unfound(StateSnapshot snapshot, List<Part> steps) {
    boolean bounded = tooLarge || steps.size() >= STEPS_MAX || !goOn.getAsBoolean();
    List<Part> quota = plenty(Kind.ADD_QUOTA);
    List<Part> slices = plenty(Kind.ADD_SLICES);
    List<Part> both = new ArrayList<>(quota);
    both.addAll(slices);
    boolean helps =
        !bounded
            && Stream.of(quota, slices, both).anyMatch(parts -> trial(snapshot, parts).started());
    return bounded || helps ? SmallestChange.UNKNOWN : SmallestChange.NONE;
  }

  /** Returns plenty of quota for all of the queue's flavors, or of slices of each of them. */
  private List<Part> plenty(Kind kind) {
    List<Part> parts = new ArrayList<>();
    for (ResourceGroup group : competitors.groups()) {
      for (FlavorQuotas flavor : group.flavors()) {
        for (ResourceName resource : group.coveredResources()) {
          if (kind == Kind.ADD_QUOTA) {
            parts.add(new Part(kind, flavor.flavor(), resource, PLENTY_OF_QUOTA));
          } else if (resource.equals(ResourceName.TPU)) {
            parts.add(new Part(kind, flavor.flavor(), resource, PLENTY_OF_SLICES));
          }
        }
      }
    }
    return parts;
  }

  /** Returns whether jobs that the copy omits might have taken what was added. */
  private boolean usesUpAnyOf(ChangeTrial trial) {
    return competitors.cut().stream().anyMatch(trial::admitted);
  }

  private ChangeTrial trial(StateSnapshot snapshot, List<Part> steps) {
    trials++;
    ChangeTrial trial =
        new ChangeTrial(competitors.job(), snapshot, policy, competitors.now(), goOn);
    trial.apply(ChangeTrial.sums(steps));
    return trial;
  }

  /**
   * Adds to a copy what the job lacks there, step by step.
   *
   * @return whether the job was admitted
   */
  private boolean extend(ChangeTrial trial, List<Part> steps) {
    while (!trial.started() && steps.size() < STEPS_MAX && goOn.getAsBoolean()) {
      Part next = next(trial);
      if (next == null) {
        return false;
      }
      steps.add(next);
      trial.apply(List.of(next));
    }
    return trial.started();
  }

  /** Returns what the job, or a job that it waits for, lacks; null if nothing can be added. */
  private @Nullable Part next(ChangeTrial trial) {
    JobEntry waits = trial.job();
    for (int passed = 0; waits != null && passed < Competitors.LINE_MAX; passed++) {
      Explanation explanation = new Explainer(trial.state()).explain(waits).orElse(null);
      if (explanation == null || explanation.change().verdict() == Verdict.NONE) {
        return null;
      }
      if (appliesTo(explanation)) {
        Part part = explanation.change().parts().get(0);
        tooLarge |= part.kind() != Kind.ADD_QUOTA && part.amount() > ADDED_MAX;
        return tooLarge || part.amount() < 0 ? null : part;
      }
      waits =
          explanation.change().verdict() == Verdict.WAIT ? waits.queue().servedBefore(waits) : null;
    }
    return null;
  }

  /** Drops, from the last step to the first, each step that the job does not need. */
  private Verified shrink(StateSnapshot snapshot, Verified whole) {
    Verified least = whole;
    for (int at = whole.steps().size() - 1;
        at >= 0 && least.steps().size() > 1 && trials < TRIALS_MAX;
        at--) {
      List<Part> fewer = new ArrayList<>(least.steps());
      fewer.remove(at);
      ChangeTrial trial = trial(snapshot, fewer);
      if (trial.started()) {
        least = new Verified(fewer, trial);
      }
    }
    return least;
  }
}
