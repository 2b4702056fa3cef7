// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.adoption;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.queuemodel.job.JobState;
import io.sluice.scheduler.execution.JobReasons.Reason;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterKind;
import io.sluice.scheduler.execution.kubernetes.cluster.ObjectRef;
import io.sluice.scheduler.store.cluster.AdoptedObjectRows.Standing;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The status of an adopted object's job, written into the object for its user.
 *
 * @param admitted whether the job runs or may run
 * @param word reason, as in a condition
 * @param sentence message for people
 */
public record ObjectStatus(boolean admitted, String word, String sentence) {
  static final String CONDITION = "sluice.io/Admitted";
  private static final int SENTENCE_MAX = 1_000;

  public ObjectStatus {
    sentence = sentence.length() <= SENTENCE_MAX ? sentence : sentence.substring(0, SENTENCE_MAX);
  }

  /** Returns the status of a job; null: the object already says all of it. */
  static @Nullable ObjectStatus of(Standing known, @Nullable Reason reason) {
    JobState state = known.state();
    return switch (state) {
      case SUBMITTED -> null;
      case PENDING ->
          reason == null
              ? new ObjectStatus(false, "Queued", "it is queued")
              : new ObjectStatus(false, camel(reason.word()), reason.sentence());
      case ADMITTED, RUNNING -> new ObjectStatus(true, "Admitted", "job " + known.job());
      case DRAINING ->
          new ObjectStatus(false, "Draining", "it was told to end, and waits until its pods have");
      case SUCCEEDED -> null;
      case FAILED -> new ObjectStatus(false, "Failed", ended(known, known.message()));
      case CANCELLED ->
          new ObjectStatus(false, "Cancelled", ended(known, "cancelled by " + known.cancelledBy()));
    };
  }

  private static String ended(Standing known, String why) {
    return "job %s: %s; to run it again, delete it and create it anew".formatted(known.job(), why);
  }

  /** Turns {@code QUOTA_IN_USE} into {@code QuotaInUse}. */
  private static String camel(String word) {
    StringBuilder camel = new StringBuilder();
    for (String part : word.split("_", -1)) {
      camel.append(part.charAt(0)).append(part.substring(1).toLowerCase(Locale.ROOT));
    }
    return camel.toString();
  }

  /** Whether other clients than its controller may write conditions of a kind. */
  public static boolean hasConditions(ClusterKind kind) {
    return kind == ClusterKind.JOB || kind == ClusterKind.JOB_SET;
  }

  /** Whether the object already has this status. */
  boolean isSaid(JsonNode object) {
    for (JsonNode one : object.path("status").path("conditions")) {
      if (one.path("type").asText().equals(CONDITION)) {
        return one.path("status").asText().equals(status())
            && one.path("reason").asText().equals(word)
            && one.path("message").asText().equals(sentence);
      }
    }
    return false;
  }

  private String status() {
    return admitted ? "True" : "False";
  }

  /** Returns the conditions of an object with this one added or replaced. */
  ObjectNode condition(JsonNode object, Instant now) {
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    ArrayNode conditions = status.putArray("conditions");
    Instant since = now;
    for (JsonNode one : object.path("status").path("conditions")) {
      if (!one.path("type").asText().equals(CONDITION)) {
        conditions.add(one);
      } else if (one.path("status").asText().equals(status())) {
        since = Instant.parse(one.path("lastTransitionTime").asText());
      }
    }
    conditions
        .addObject()
        .put("type", CONDITION)
        .put("status", status())
        .put("reason", word)
        .put("message", sentence)
        .put("lastTransitionTime", since.truncatedTo(ChronoUnit.SECONDS).toString());
    return status;
  }

  /** Returns an Event with this status about an object. */
  ObjectNode event(ObjectRef object, boolean warning, Instant now) {
    ObjectNode event = JsonNodeFactory.instance.objectNode();
    event.put("apiVersion", "v1").put("kind", "Event");
    event.putObject("metadata").put("generateName", "sluice-").put("namespace", object.namespace());
    event
        .putObject("involvedObject")
        .put("apiVersion", object.kind().apiVersion())
        .put("kind", object.kind().word())
        .put("namespace", object.namespace())
        .put("name", object.name())
        .put("uid", object.uid().toString());
    String at = now.truncatedTo(ChronoUnit.SECONDS).toString();
    event.put("reason", word).put("message", sentence);
    event.put("type", warning ? "Warning" : "Normal");
    event.put("firstTimestamp", at).put("lastTimestamp", at).put("count", 1);
    event.putObject("source").put("component", "sluice");
    return event;
  }
}
