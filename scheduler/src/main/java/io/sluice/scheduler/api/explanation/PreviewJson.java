// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.explanation;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.admission.explain.Explanation;
import io.sluice.admission.explain.ExplanationSentence;
import io.sluice.admission.preview.Listed;
import io.sluice.admission.preview.Preview;
import io.sluice.queuemodel.event.Drain;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A preview as JSON for callers. */
public final class PreviewJson {
  private PreviewJson() {}

  /** The answer to a dry run; the caller adds the results. */
  public static ObjectNode answer(EditPreviews.Previewed<?> previewed) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("dryRun", true);
    json.putArray("results");
    ObjectNode node = json.putObject("preview");
    Preview preview = previewed.preview();
    node.put("sequence", previewed.sequence());
    node.put("complete", preview.complete());
    list(node, "queues", preview.queues(), PreviewJson::queue);
    list(node, "over", preview.excesses(), PreviewJson::excess);
    list(node, "gains", preview.gains(), PreviewJson::gain);
    list(node, "evictions", preview.evictions(), PreviewJson::eviction);
    list(node, "waits", preview.waits(), PreviewJson::wait);
    return json;
  }

  private static <T> void list(
      ObjectNode parent, String name, Listed<T> listed, BiConsumer<T, ObjectNode> write) {
    ObjectNode node = parent.putObject(name);
    node.put("count", listed.count());
    ArrayNode first = node.putArray("first");
    listed.first().forEach(entry -> write.accept(entry, first.addObject()));
  }

  private static void queue(Preview.QueueChange queue, ObjectNode node) {
    node.put("name", queue.clusterQueue());
    ArrayNode resources = node.putArray("resources");
    for (Preview.AmountChange change : queue.amounts()) {
      ResourceName resource = change.pair().resource();
      ObjectNode one = resources.addObject();
      one.put("flavor", change.pair().flavor());
      one.put("name", resource.value());
      amounts(change.without(), resource, one.putObject("without"));
      amounts(change.with(), resource, one.putObject("with"));
    }
  }

  private static void amounts(Preview.Amounts amounts, ResourceName resource, ObjectNode node) {
    node.put("nominal", Quantities.format(amounts.nominal(), resource));
    node.put("most", Quantities.format(amounts.most(), resource));
    node.put("used", Quantities.format(amounts.used(), resource));
  }

  private static void excess(Preview.Excess excess, ObjectNode node) {
    ResourceName resource = excess.pair().resource();
    node.put("kind", excess.node().queue() ? "ClusterQueue" : "Cohort");
    node.put("name", excess.node().name());
    node.put("flavor", excess.pair().flavor());
    node.put("resource", resource.value());
    node.put("most", Quantities.format(excess.most(), resource));
    node.put("used", Quantities.format(excess.used(), resource));
    node.put("by", Quantities.format(excess.excess(), resource));
    node.put("byWithout", Quantities.format(excess.without(), resource));
    list(node, "attempts", excess.attempts(), PreviewJson::holder);
  }

  private static void who(Preview.Who who, ObjectNode node) {
    node.put("job", who.job().toString());
    node.put("namespace", who.namespace());
    node.put("name", who.name());
    node.put("clusterQueue", who.clusterQueue());
    node.put("priority", who.priority());
  }

  private static void holder(Preview.Holder holder, ObjectNode node) {
    who(holder.who(), node);
    node.put("index", holder.attempt().index());
    node.put("attempt", holder.attempt().attempt());
  }

  private static void gain(Preview.Gain gain, ObjectNode node) {
    who(gain.who(), node);
    node.put("indices", gain.indices());
    node.put("given", EventSentence.given(gain.given()));
  }

  private static void eviction(Preview.Eviction eviction, ObjectNode node) {
    holder(eviction.victim(), node);
    Drain drain = eviction.drain();
    node.put("cause", drain.cause().name());
    node.put(
        "reason",
        switch (drain.cause()) {
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
              NOT_RESIZED ->
              drain.message();
        });
  }

  private static void wait(Preview.Wait wait, ObjectNode node) {
    who(wait.who(), node);
    node.put("indices", wait.indices());
    why(wait.why(), node);
  }

  private static void why(@Nullable Explanation why, ObjectNode node) {
    if (why != null) {
      node.put("blocker", why.blocker().name());
      node.put("reason", ExplanationSentence.of(why));
    }
  }

  /** Writes the outcome of a job; writes nothing for a job that has ended. */
  public static void outcome(Preview preview, JobId job, ObjectNode node) {
    for (Preview.Outcome outcome : preview.jobs()) {
      if (outcome.job().equals(job) && outcome.there()) {
        node.put("state", outcome.admitted() > 0 ? "ADMITTED" : "PENDING");
        node.put("admitted", outcome.admitted());
        why(outcome.why(), node);
      }
    }
  }
}
