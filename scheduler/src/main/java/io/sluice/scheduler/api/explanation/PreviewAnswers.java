// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.explanation;

import io.sluice.admission.explain.ExplanationSentence;
import io.sluice.admission.preview.Listed;
import io.sluice.admission.preview.Preview;
import io.sluice.queuemodel.event.Drain;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.restmodel.preview.EditPreview;
import io.sluice.restmodel.preview.EditPreview.AffectedAttempt;
import io.sluice.restmodel.preview.EditPreview.AttemptEviction;
import io.sluice.restmodel.preview.EditPreview.JobGain;
import io.sluice.restmodel.preview.EditPreview.JobWait;
import io.sluice.restmodel.preview.EditPreview.QueueChange;
import io.sluice.restmodel.preview.EditPreview.QuotaAmounts;
import io.sluice.restmodel.preview.EditPreview.QuotaExcess;
import io.sluice.restmodel.preview.EditPreview.ResourceChange;
import java.util.function.Function;

/** Converts previews for answers. */
public final class PreviewAnswers {
  private PreviewAnswers() {}

  /** The effects of a previewed edit. */
  public static EditPreview of(EditPreviews.Previewed<?> previewed) {
    Preview preview = previewed.preview();
    ProjectedEdit starts = previewed.starts();
    return new EditPreview(
        previewed.sequence(),
        preview.complete(),
        listed(preview.queues(), PreviewAnswers::queue),
        listed(preview.excesses(), PreviewAnswers::excess),
        listed(preview.gains(), PreviewAnswers::gain),
        listed(preview.evictions(), PreviewAnswers::eviction),
        listed(preview.waits(), PreviewAnswers::wait),
        starts == null ? null : SimulationAnswers.of(previewed.sequence(), starts));
  }

  private static <S, T> io.sluice.restmodel.Listed<T> listed(
      Listed<S> entries, Function<S, T> convert) {
    return new io.sluice.restmodel.Listed<>(
        entries.count(), entries.first().stream().map(convert).toList());
  }

  private static QueueChange queue(Preview.QueueChange queue) {
    return new QueueChange(
        queue.clusterQueue(), queue.amounts().stream().map(PreviewAnswers::change).toList());
  }

  private static ResourceChange change(Preview.AmountChange change) {
    ResourceName resource = change.pair().resource();
    return new ResourceChange(
        change.pair().flavor(),
        resource.value(),
        amounts(change.without(), resource),
        amounts(change.with(), resource));
  }

  private static QuotaAmounts amounts(Preview.Amounts amounts, ResourceName resource) {
    return new QuotaAmounts(
        Quantities.format(amounts.nominal(), resource),
        Quantities.format(amounts.most(), resource),
        Quantities.format(amounts.used(), resource));
  }

  private static QuotaExcess excess(Preview.Excess excess) {
    ResourceName resource = excess.pair().resource();
    return new QuotaExcess(
        excess.node().queue() ? "ClusterQueue" : "Cohort",
        excess.node().name(),
        excess.pair().flavor(),
        resource.value(),
        Quantities.format(excess.most(), resource),
        Quantities.format(excess.used(), resource),
        Quantities.format(excess.excess(), resource),
        Quantities.format(excess.without(), resource),
        listed(excess.attempts(), PreviewAnswers::affected));
  }

  private static AffectedAttempt affected(Preview.Holder holder) {
    Preview.Who who = holder.who();
    return new AffectedAttempt(
        who.job().toString(),
        who.namespace(),
        who.name(),
        who.clusterQueue(),
        who.priority(),
        holder.attempt().index(),
        holder.attempt().attempt());
  }

  private static JobGain gain(Preview.Gain gain) {
    Preview.Who who = gain.who();
    return new JobGain(
        who.job().toString(),
        who.namespace(),
        who.name(),
        who.clusterQueue(),
        who.priority(),
        gain.indices(),
        EventSentence.given(gain.given()));
  }

  private static AttemptEviction eviction(Preview.Eviction eviction) {
    AffectedAttempt victim = affected(eviction.victim());
    return new AttemptEviction(
        victim.job(),
        victim.namespace(),
        victim.name(),
        victim.clusterQueue(),
        victim.priority(),
        victim.index(),
        victim.attempt(),
        eviction.drain().cause().name(),
        reason(eviction));
  }

  private static String reason(Preview.Eviction eviction) {
    Drain drain = eviction.drain();
    return switch (drain.cause()) {
      case PREEMPTED ->
          eviction.preemptor() == null ? "preempted" : "preempted for " + eviction.preemptor();
      case QUEUE_STOPPED -> "its queue is being drained";
      case CANCELLED -> "cancelled";
      case HELD -> "held";
      case MIGRATED -> EventSentence.migrated(drain);
      case FAILED,
          TIME_LIMIT,
          START_DEADLINE,
          LEASE_END,
          SLICE_RECLAIMED,
          HOST_LOST,
          NOT_RESIZED,
          DATED ->
          drain.message();
    };
  }

  private static JobWait wait(Preview.Wait wait) {
    Preview.Who who = wait.who();
    return new JobWait(
        who.job().toString(),
        who.namespace(),
        who.name(),
        who.clusterQueue(),
        who.priority(),
        wait.indices(),
        wait.why() == null ? null : wait.why().blocker().name(),
        wait.why() == null ? null : ExplanationSentence.of(wait.why()));
  }
}
