// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.explanation;

import io.sluice.admission.projection.ProjectedJob.Loss;
import io.sluice.admission.projection.ProjectedJob.Who;
import io.sluice.admission.projection.ProjectionComparison;
import io.sluice.admission.projection.ProjectionComparison.Cost;
import io.sluice.admission.projection.ProjectionComparison.Effect;
import io.sluice.admission.projection.ProjectionComparison.JobChange;
import io.sluice.queuemodel.job.JobId;
import io.sluice.restmodel.Listed;
import io.sluice.restmodel.simulation.SimulatedJob;
import io.sluice.restmodel.simulation.SimulationAnswer;
import io.sluice.restmodel.simulation.SimulationAnswer.EffectCounts;
import io.sluice.restmodel.simulation.SimulationAnswer.EvictionCost;
import io.sluice.scheduler.security.NamespaceScope;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Converts the results of simulations for answers. */
public final class SimulationAnswers {
  private static final int LISTED_MAX = 200;
  private static final int DECIMALS = 3;
  private static final BigDecimal SECONDS_PER_HOUR = BigDecimal.valueOf(3600);
  private static final String ASSUMPTION =
      "Every attempt runs to its latest end: its time limit, its grace period and the allowance for"
          + " its processes to disappear. An attempt without a time limit never ends. Nothing else"
          + " arrives or fails, and no provider grants capacity.";

  private SimulationAnswers() {}

  /**
   * The answer to a simulation.
   *
   * @param asOf the last batch that the simulated state includes
   * @param readable namespaces that the caller may read; jobs elsewhere are listed without what
   *     tells which jobs they are
   */
  public static SimulationAnswer of(long asOf, ProjectedEdit projected, NamespaceScope readable) {
    ProjectionComparison compared = projected.compared();
    Set<JobId> submitted = projected.submitted();
    List<SimulatedJob> first =
        compared.jobs().stream()
            .limit(LISTED_MAX)
            .map(job -> job(job, submitted.contains(job.who().job()), readable))
            .toList();
    return new SimulationAnswer(
        asOf,
        compared.begun(),
        compared.until(),
        compared.truncated(),
        ASSUMPTION,
        counts(compared.counts()),
        cost(compared.without()),
        cost(compared.with()),
        new Listed<>(compared.jobs().size(), first));
  }

  private static EffectCounts counts(Map<Effect, Integer> counts) {
    return new EffectCounts(
        counts.getOrDefault(Effect.STARTS, 0),
        counts.getOrDefault(Effect.EARLIER, 0),
        counts.getOrDefault(Effect.LATER, 0),
        counts.getOrDefault(Effect.NEVER, 0),
        counts.getOrDefault(Effect.DISPLACED, 0),
        counts.getOrDefault(Effect.SPARED, 0),
        counts.getOrDefault(Effect.UNKNOWN, 0));
  }

  private static EvictionCost cost(Cost cost) {
    return new EvictionCost(
        cost.jobs(), cost.evictions(), hours(cost.attemptSeconds()), hours(cost.deviceSeconds()));
  }

  private static String hours(long seconds) {
    return BigDecimal.valueOf(seconds)
        .divide(SECONDS_PER_HOUR, DECIMALS, RoundingMode.HALF_UP)
        .stripTrailingZeros()
        .toPlainString();
  }

  private static SimulatedJob job(JobChange change, boolean submitted, NamespaceScope readable) {
    Who who = change.who();
    Who preemptor = change.preemptor();
    boolean known = readable.contains(who.namespace());
    Loss loss = change.loss();
    Duration delay = change.delay();
    return new SimulatedJob(
        submitted || !known ? null : who.job().toString(),
        known ? who.namespace() : null,
        known ? who.name() : null,
        who.clusterQueue(),
        who.priority(),
        change.effect().name().toLowerCase(Locale.ROOT),
        change.running(),
        change.before(),
        change.after(),
        delay == null ? null : delay.toSeconds(),
        loss.evictions(),
        loss.at(),
        preemptor == null || !readable.contains(preemptor.namespace()) ? null : preemptor.name(),
        loss.evictions() == 0 ? null : hours(loss.deviceSeconds()));
  }
}
