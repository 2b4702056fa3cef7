// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.explanation;

import io.sluice.admission.explain.Explanation;
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
import io.sluice.scheduler.security.NamespaceScope;
import java.util.Locale;
import java.util.function.Function;

/**
 * Converts previews for answers. Jobs that the caller may not read are listed without what tells
 * which jobs they are.
 */
public final class PreviewAnswers {
  private final NamespaceScope readable;

  private PreviewAnswers(NamespaceScope readable) {
    this.readable = readable;
  }

  /**
   * The effects of a previewed edit.
   *
   * @param readable namespaces that the caller may read
   */
  public static EditPreview of(EditPreviews.Previewed<?> previewed, NamespaceScope readable) {
    return new PreviewAnswers(readable).preview(previewed);
  }

  private EditPreview preview(EditPreviews.Previewed<?> previewed) {
    Preview preview = previewed.preview();
    ProjectedEdit starts = previewed.starts();
    return new EditPreview(
        previewed.sequence(),
        preview.complete(),
        listed(preview.queues(), PreviewAnswers::queue),
        listed(preview.excesses(), this::excess),
        listed(preview.gains(), this::gain),
        listed(preview.evictions(), this::eviction),
        listed(preview.waits(), this::wait),
        starts == null ? null : SimulationAnswers.of(previewed.sequence(), starts, readable));
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

  private QuotaExcess excess(Preview.Excess excess) {
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
        listed(excess.attempts(), this::affected));
  }

  private boolean known(Preview.Who who) {
    return readable.contains(who.namespace());
  }

  private AffectedAttempt affected(Preview.Holder holder) {
    Preview.Who who = holder.who();
    return new AffectedAttempt(
        known(who) ? who.job().toString() : null,
        known(who) ? who.namespace() : null,
        known(who) ? who.name() : null,
        who.clusterQueue(),
        who.priority(),
        holder.attempt().index(),
        holder.attempt().attempt());
  }

  private JobGain gain(Preview.Gain gain) {
    Preview.Who who = gain.who();
    return new JobGain(
        known(who) ? who.job().toString() : null,
        known(who) ? who.namespace() : null,
        known(who) ? who.name() : null,
        who.clusterQueue(),
        who.priority(),
        gain.indices(),
        EventSentence.given(gain.given()));
  }

  private AttemptEviction eviction(Preview.Eviction eviction) {
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

  private String reason(Preview.Eviction eviction) {
    Drain drain = eviction.drain();
    Preview.Who preemptor = eviction.preemptor();
    return switch (drain.cause()) {
      case PREEMPTED ->
          preemptor == null || !known(preemptor)
              ? "preempted"
              : "preempted for " + preemptor.name();
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
          known(eviction.victim().who())
              ? drain.message()
              : drain.cause().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    };
  }

  private JobWait wait(Preview.Wait wait) {
    Preview.Who who = wait.who();
    Explanation why = wait.why();
    return new JobWait(
        known(who) ? who.job().toString() : null,
        known(who) ? who.namespace() : null,
        known(who) ? who.name() : null,
        who.clusterQueue(),
        who.priority(),
        wait.indices(),
        why == null ? null : why.blocker().name(),
        why == null || !known(who) ? null : ExplanationSentence.of(why.seenBy(readable::contains)));
  }
}
