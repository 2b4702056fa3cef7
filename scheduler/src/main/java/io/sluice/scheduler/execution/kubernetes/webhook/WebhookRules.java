// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.field.QueueLabels;
import io.sluice.manifests.foreign.ForeignKind;
import io.sluice.manifests.rendering.AdoptedEdits;
import io.sluice.manifests.rendering.AttemptLabels;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The admission rules of adoption, equal to the policies in {@code deploy/components/adoption}; a
 * test compares the answers of both.
 *
 * <ol>
 *   <li>Changes by Sluice's own account are allowed unchanged.
 *   <li>An object that names a queue, or is in a namespace with a default queue, is created
 *       suspended. An object that a controller owns is not, since it waits with its owner. Two
 *       kinds are suspended although they are owned: the JobSet of a PathwaysJob, which cannot wait
 *       itself (unless Sluice created the PathwaysJob for an attempt), and each Job of a CronJob.
 *   <li>A Deployment or StatefulSet that names a queue passes the name to its pods, which wait.
 *   <li>A pod is gated instead, unless a kind of job owns it or it already has a node; in a
 *       namespace with a default queue only if no controller owns it.
 *   <li>An object that is so suspended or gated is annotated with the name of the user who created
 *       it, unless a controller owns it. Another policy keeps users from writing other names.
 *   <li>Of an object that names a queue, other accounts must not change whether it is suspended,
 *       the labels of attempts and, once it is admitted, its spec.
 *   <li>Other accounts must not remove Sluice's gate.
 *   <li>An update of an admitted JobSet that only removes what Sluice wrote changes nothing.
 * </ol>
 *
 * <p>A review does not say whether its namespace has a default queue: the API server sends {@link
 * WebhookQuestion#HOLD_BY_DEFAULT} only for namespaces that have one.
 */
final class WebhookRules {
  static final String NOT_RESUMED =
      "it names a queue, so Sluice suspends and resumes it (kubectl describe says why it waits)";
  static final String NOT_CHANGED =
      "it was admitted as it is; delete it and create it anew to change it";
  static final String NOT_LABELLED = "labels of attempts are Sluice's";
  static final String NOT_UNGATED = "the gate sluice.io/admission is Sluice's";

  private static final String DEFAULT_QUEUE = "default";

  /** Kinds that are suspended; pods are gated, and other kinds cannot be held at creation. */
  private static final Set<ForeignKind> SUSPENDED =
      Set.of(ForeignKind.JOB, ForeignKind.JOB_SET, ForeignKind.RAY_JOB, ForeignKind.RAY_CLUSTER);

  private final String account;

  /**
   * Creates the rules of an installation.
   *
   * @param account the name by which API servers know Sluice
   */
  WebhookRules(String account) {
    this.account = account;
  }

  Verdict judge(WebhookQuestion question, Review review) {
    if (review.user().equals(account)) {
      return Verdict.asItIs();
    }
    return switch (question) {
      case HOLD -> held(review);
      case HOLD_BY_DEFAULT ->
          QueueLabels.nameQueue(review.object()) ? Verdict.asItIs() : created(review, true);
      case KEEP -> changed(review);
    };
  }

  private static Verdict held(Review review) {
    JsonNode object = review.object();
    if (!QueueLabels.nameQueue(object)) {
      return Verdict.asItIs();
    }
    boolean ownsPods =
        object.path("apiVersion").asText().equals("apps/v1")
            && QueueLabels.POD_OWNERS.contains(object.path("kind").asText());
    if (review.operation().equals("UPDATE") && kind(object) == ForeignKind.JOB_SET) {
      return reapplied(review);
    }
    return ownsPods ? passedOn(object) : created(review, false);
  }

  /** Keeps an admitted JobSet as it is if its user only applied the same manifest again. */
  private static Verdict reapplied(Review review) {
    JsonNode before = review.before();
    boolean admitted = !label(before, AttemptLabels.JOB_ID).isMissingNode();
    if (!admitted
        || !ReappliedJobSet.isAsWritten(before.path("spec"), review.object().path("spec"))) {
      return Verdict.asItIs();
    }
    ArrayNode patch = JsonNodeFactory.instance.arrayNode();
    patch.addObject().put("op", "replace").put("path", "/spec").set("value", before.path("spec"));
    return Verdict.changed(patch);
  }

  /** Copies the queue of an object to its pod template. */
  private static Verdict passedOn(JsonNode object) {
    ArrayNode patch = JsonNodeFactory.instance.arrayNode();
    JsonNode template = object.path("spec").path("template").path("metadata").path("labels");
    if (template.isObject()) {
      for (String key : List.of(QueueLabels.OURS, QueueLabels.KUEUES)) {
        JsonNode named = label(object, key);
        if (!named.isMissingNode() && !named.equals(template.path(key))) {
          add(patch, "/spec/template/metadata/labels/" + key.replace("/", "~1"))
              .set("value", named);
        }
      }
    }
    return Verdict.changed(patch);
  }

  private static Verdict created(Review review, boolean byDefault) {
    JsonNode object = review.object();
    ForeignKind kind = kind(object);
    if (!review.operation().equals("CREATE") || kind == null || !object.path("spec").isObject()) {
      return Verdict.asItIs();
    }
    ArrayNode patch = JsonNodeFactory.instance.arrayNode();
    if (kind == ForeignKind.POD) {
      boolean waitsWithOwner = byDefault ? isOwned(object) : isOwnedByJob(object);
      boolean onNode = !object.path("spec").path("nodeName").asText().isEmpty();
      if (!waitsWithOwner && !onNode) {
        name(object, byDefault, patch);
        boolean wasGated = AttemptLabels.isGated(object);
        gate(object, patch);
        if (byDefault || !wasGated) {
          sign(review, patch);
        }
      }
    } else if (SUSPENDED.contains(kind) && !waitsWithOwner(object, kind, true)) {
      name(object, byDefault, patch);
      add(patch, "/spec/suspend").put("value", true);
      sign(review, patch);
    }
    return Verdict.changed(patch);
  }

  /** Writes who created the object, unless a controller did. */
  private static void sign(Review review, ArrayNode patch) {
    JsonNode object = review.object();
    if (isOwned(object)) {
      return;
    }
    if (!object.path("metadata").path("annotations").isObject()) {
      add(patch, "/metadata/annotations").putObject("value");
    }
    add(patch, "/metadata/annotations/" + AdoptedEdits.SUBMITTER.replace("/", "~1"))
        .put("value", object.path("kind").asText() + "/" + review.user());
  }

  private static void name(JsonNode object, boolean byDefault, ArrayNode patch) {
    if (byDefault) {
      if (!object.path("metadata").path("labels").isObject()) {
        add(patch, "/metadata/labels").putObject("value");
      }
      add(patch, "/metadata/labels/" + QueueLabels.OURS.replace("/", "~1"))
          .put("value", DEFAULT_QUEUE);
    }
  }

  private static void gate(JsonNode pod, ArrayNode patch) {
    if (AttemptLabels.isGated(pod)) {
      return;
    }
    if (!pod.path("spec").path("schedulingGates").isArray()) {
      add(patch, "/spec/schedulingGates").putArray("value");
    }
    add(patch, "/spec/schedulingGates/-").putObject("value").put("name", AttemptLabels.GATE);
  }

  private static ObjectNode add(ArrayNode patch, String path) {
    return patch.addObject().put("op", "add").put("path", path);
  }

  private static Verdict changed(Review review) {
    JsonNode before = review.before();
    ForeignKind kind = kind(before);
    if (!review.operation().equals("UPDATE") || kind == null) {
      return Verdict.asItIs();
    }
    if (kind == ForeignKind.POD) {
      return AttemptLabels.isGated(before) && !AttemptLabels.isGated(review.object())
          ? Verdict.refused(NOT_UNGATED)
          : Verdict.asItIs();
    }
    boolean ours =
        SUSPENDED.contains(kind)
            && !waitsWithOwner(before, kind, false)
            && (QueueLabels.nameQueue(before) || QueueLabels.nameQueue(review.object()));
    return ours ? kept(before, review.object()) : Verdict.asItIs();
  }

  private static Verdict kept(JsonNode before, JsonNode after) {
    if (isSuspended(before) != isSuspended(after)) {
      return Verdict.refused(NOT_RESUMED);
    }
    boolean admitted = !label(before, AttemptLabels.JOB_ID).isMissingNode();
    if (admitted && !before.path("spec").equals(after.path("spec"))) {
      return Verdict.refused(NOT_CHANGED);
    }
    boolean relabelled =
        AttemptLabels.KEYS.stream()
            .anyMatch(key -> !label(before, key).asText().equals(label(after, key).asText()));
    return relabelled ? Verdict.refused(NOT_LABELLED) : Verdict.asItIs();
  }

  private static @Nullable ForeignKind kind(JsonNode object) {
    return Arrays.stream(ForeignKind.values())
        .filter(kind -> kind.word().equals(object.path("kind").asText()))
        .filter(kind -> kind.apiVersion().equals(object.path("apiVersion").asText()))
        .findFirst()
        .orElse(null);
  }

  private static JsonNode label(JsonNode object, String key) {
    return object.path("metadata").path("labels").path(key);
  }

  private static boolean isSuspended(JsonNode object) {
    return object.path("spec").path("suspend").asBoolean();
  }

  /**
   * Whether a controller owns an object, so that the object waits with its owner.
   *
   * @param created whether the object is being created: then this includes the JobSet of Sluice's
   *     own PathwaysJob, which may run
   */
  private static boolean waitsWithOwner(JsonNode object, ForeignKind kind, boolean created) {
    boolean ofAttempt = created && !label(object, AttemptLabels.JOB_ID).isMissingNode();
    for (JsonNode owner : owners(object)) {
      boolean cannotWait =
          kind == ForeignKind.JOB_SET
              && owner.path("kind").asText().equals(ForeignKind.PATHWAYS_JOB.word());
      boolean run =
          kind == ForeignKind.JOB && owner.path("kind").asText().equals(QueueLabels.CRON_JOB);
      if (isController(owner) && !run && (!cannotWait || ofAttempt)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOwned(JsonNode object) {
    for (JsonNode owner : owners(object)) {
      if (isController(owner)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOwnedByJob(JsonNode pod) {
    for (JsonNode owner : owners(pod)) {
      if (isController(owner) && isJob(owner.path("kind").asText())) {
        return true;
      }
    }
    return false;
  }

  private static boolean isJob(String word) {
    return Arrays.stream(ForeignKind.values())
        .anyMatch(kind -> kind != ForeignKind.POD && kind.word().equals(word));
  }

  private static JsonNode owners(JsonNode object) {
    return object.path("metadata").path("ownerReferences");
  }

  private static boolean isController(JsonNode owner) {
    return owner.path("controller").asBoolean();
  }
}
