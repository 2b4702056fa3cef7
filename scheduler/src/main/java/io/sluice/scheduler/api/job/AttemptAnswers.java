// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.record.LastResize;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.Drain;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.event.Resize;
import io.sluice.queuemodel.event.TopologyAssignment;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.restmodel.job.AttemptAssignment;
import io.sluice.restmodel.job.AttemptAssignment.AssignedPodSet;
import io.sluice.restmodel.job.AttemptAssignment.PodDomain;
import io.sluice.restmodel.job.AttemptAssignment.PodTopology;
import io.sluice.restmodel.job.AttemptDrain;
import io.sluice.restmodel.job.AttemptDrain.AttemptPreemption;
import io.sluice.restmodel.job.AttemptResize;
import io.sluice.restmodel.job.AttemptResize.ResizeCause;
import io.sluice.restmodel.job.AttemptView;
import io.sluice.restmodel.job.JobIndex;
import io.sluice.scheduler.api.Texts;
import io.sluice.scheduler.store.journal.HistoryReader.AttemptHistory;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Converts attempts for answers. */
final class AttemptAnswers {
  private AttemptAnswers() {}

  static AttemptView of(AttemptHistory attempt) {
    AttemptHistory.Times times = attempt.times();
    AttemptRecord.Progress progress = attempt.course().progress();
    AttemptHistory.Ending ending = attempt.ending();
    boolean ended = ending.outcome() != null;
    return new AttemptView(
        attempt.key().index(),
        attempt.key().attempt(),
        attempt.generation(),
        attempt.state(),
        attempt.clusterQueue(),
        assignment(attempt.assignment()),
        times.admitted(),
        times.started(),
        times.draining(),
        times.ended(),
        progress.at(),
        progress.stalledSince(),
        Texts.unlessEmpty(progress.text()),
        attempt.course().checkpoint(),
        lastResize(attempt.course().lastResize()),
        leaseEnd(attempt),
        attempt.terms().pricePerChipHour() == null
            ? null
            : attempt.terms().pricePerChipHour().toPlainString(),
        drain(attempt.drain()),
        ending.outcome(),
        ended ? ending.cause() : null,
        ended ? ending.message() : null);
  }

  private static @Nullable Instant leaseEnd(AttemptHistory attempt) {
    Duration maxRun = attempt.terms().maxRun();
    return maxRun == null ? null : attempt.times().admitted().plus(maxRun);
  }

  private static AttemptAssignment assignment(Assignment assignment) {
    return new AttemptAssignment(
        assignment.rung(),
        assignment.slices(),
        assignment.podSets().stream().map(AttemptAnswers::podSet).toList(),
        assignment.clusterQueue());
  }

  private static AssignedPodSet podSet(PodSetAssignment podSet) {
    return new AssignedPodSet(
        podSet.name(),
        podSet.count(),
        podSet.delay() == null ? null : podSet.delay().name(),
        amounts(podSet.usage()),
        byName(podSet.flavors()),
        topology(podSet.topology()));
  }

  private static Map<String, Long> amounts(ResourceList resources) {
    return byName(resources.amounts());
  }

  private static <V> Map<String, V> byName(SortedMap<ResourceName, V> byResource) {
    Map<String, V> byName = new LinkedHashMap<>();
    byResource.forEach((resource, value) -> byName.put(resource.value(), value));
    return byName;
  }

  private static @Nullable PodTopology topology(@Nullable TopologyAssignment topology) {
    return topology == null
        ? null
        : new PodTopology(
            topology.levels(),
            amounts(topology.perPod()),
            topology.domains().stream()
                .map(domain -> new PodDomain(domain.count(), domain.values()))
                .toList());
  }

  private static @Nullable AttemptResize lastResize(@Nullable LastResize last) {
    if (last == null) {
      return null;
    }
    Resize resize = last.resize();
    return new AttemptResize(
        last.at(),
        last.letGo(),
        new ResizeCause(
            resize.by() == null ? null : index(resize.by()),
            resize.cause().name(),
            text(resize.notice()),
            resize.message()),
        last.counted(),
        last.settled());
  }

  private static @Nullable AttemptDrain drain(@Nullable Drain drain) {
    return drain == null
        ? null
        : new AttemptDrain(
            drain.cause().name(),
            text(drain.notice()),
            drain.failure() == null ? null : drain.failure().name(),
            drain.message(),
            preemption(drain.preemption()));
  }

  private static @Nullable AttemptPreemption preemption(Drain.@Nullable Preemption preemption) {
    return preemption == null
        ? null
        : new AttemptPreemption(preemption.reason().name(), index(preemption.preemptor()));
  }

  private static JobIndex index(IndexKey key) {
    return new JobIndex(key.job().toString(), key.index());
  }

  private static @Nullable String text(@Nullable Duration duration) {
    return duration == null ? null : duration.toString();
  }
}
