// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.adoption;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.manifests.rendering.AdoptedEdits;
import io.sluice.scheduler.execution.kubernetes.cluster.Cluster;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException.Reason;
import io.sluice.scheduler.execution.kubernetes.cluster.StateLog;
import io.sluice.scheduler.security.Caller;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Tells who created an object, if its cluster vouches for the annotation that says so.
 *
 * <p>Users can write any annotation. The policy of {@code deploy/components/adoption-submitters}
 * refuses other names than their own. So this class believes the annotation of an object that was
 * created after the policy and its binding were last changed, if both are as they are shipped.
 */
final class SubmitterPolicy {
  /** Name of the policy and of its binding. */
  static final String NAME = "sluice-submitters";

  /** The policy as it is shipped. */
  static final JsonNode SPEC =
      json(
          """
          {"failurePolicy": "Fail",
           "matchConstraints": {"resourceRules": [
             {"apiGroups": ["batch"], "apiVersions": ["v1"],
              "operations": ["CREATE", "UPDATE"], "resources": ["jobs"]},
             {"apiGroups": ["jobset.x-k8s.io"], "apiVersions": ["v1alpha2"],
              "operations": ["CREATE", "UPDATE"], "resources": ["jobsets"]},
             {"apiGroups": ["ray.io"], "apiVersions": ["v1"],
              "operations": ["CREATE", "UPDATE"], "resources": ["rayjobs", "rayclusters"]},
             {"apiGroups": [""], "apiVersions": ["v1"],
              "operations": ["CREATE", "UPDATE"], "resources": ["pods"]}]},
           "validations": [{
             "expression": "!has(object.metadata.annotations) \
          || !(\\"sluice.io/submitter\\" in object.metadata.annotations) \
          || !object.metadata.annotations[\\"sluice.io/submitter\\"].startsWith(\
          request.kind.kind + \\"/\\") \
          || (request.operation == \\"CREATE\\" \
          ? object.metadata.annotations[\\"sluice.io/submitter\\"] \
          == request.kind.kind + \\"/\\" + request.userInfo.username \
          : has(oldObject.metadata.annotations) \
          && \\"sluice.io/submitter\\" in oldObject.metadata.annotations \
          && object.metadata.annotations[\\"sluice.io/submitter\\"] \
          == oldObject.metadata.annotations[\\"sluice.io/submitter\\"])",
             "message": "the annotation sluice.io/submitter is Sluice's; leave it out"}]}
          """);

  /** The binding as it is shipped. */
  static final JsonNode BINDING =
      json("{\"policyName\": \"sluice-submitters\", \"validationActions\": [\"Deny\"]}");

  /** Fields that API servers add to both. */
  private static final Map<String, JsonNode> DEFAULTS =
      Map.of(
          "matchPolicy", json("\"Equivalent\""),
          "scope", json("\"*\""),
          "namespaceSelector", json("{}"),
          "objectSelector", json("{}"));

  private static final Logger LOG = Logger.getLogger(SubmitterPolicy.class);
  private static final String API = "/apis/admissionregistration.k8s.io/v1/";
  private static final String POLICY_PATH = API + "validatingadmissionpolicies/" + NAME;
  private static final String BINDING_PATH = API + "validatingadmissionpolicybindings/" + NAME;
  private static final Duration READ_EVERY = Duration.ofSeconds(10);

  /** API servers apply a new policy some seconds after it was written. */
  private static final Duration TAKES_EFFECT = Duration.ofSeconds(30);

  private final Cluster cluster;
  private final LongSupplier monotonicNanos;
  private final StateLog states = new StateLog(LOG);
  private long readAt;
  private boolean read;
  private @Nullable Instant since;

  /** Reads the policy of a cluster when it is needed. */
  SubmitterPolicy(Cluster cluster, LongSupplier monotonicNanos) {
    this.cluster = cluster;
    this.monotonicNanos = monotonicNanos;
  }

  /**
   * Returns the name of who created an object, or all pods of a group; null if it is unknown, or no
   * name that a caller can have.
   *
   * @throws ClusterException if the cluster does not answer
   */
  @Nullable String submitter(JsonNode object) {
    Iterable<JsonNode> parts = object.has("items") ? object.path("items") : List.of(object);
    TreeSet<String> names = new TreeSet<>();
    for (JsonNode part : parts) {
      String start = part.path("kind").asText() + "/";
      JsonNode metadata = part.path("metadata");
      String written = metadata.path("annotations").path(AdoptedEdits.SUBMITTER).asText();
      if (!written.startsWith(start) || !isVouchedFor(metadata)) {
        return null;
      }
      names.add(written.substring(start.length()));
    }
    String name = names.size() == 1 ? names.first() : "";
    return Caller.isUserName(name) && !name.equals(Caller.SERVER.name()) ? name : null;
  }

  private boolean isVouchedFor(JsonNode metadata) {
    Instant from = since();
    return from != null
        && Instant.parse(metadata.path("creationTimestamp").asText())
            .isAfter(from.plus(TAKES_EFFECT));
  }

  /** The time since which the policy has been as it is shipped; null: it is not. */
  private @Nullable Instant since() {
    long now = monotonicNanos.getAsLong();
    if (!read || now - readAt >= READ_EVERY.toNanos()) {
      since = readSince();
      readAt = now;
      read = true;
    }
    return since;
  }

  private @Nullable Instant readSince() {
    try {
      JsonNode policy = cluster.get(POLICY_PATH);
      JsonNode binding = cluster.get(BINDING_PATH);
      if (!isAsShipped(SPEC, policy.path("spec")) || !isAsShipped(BINDING, binding.path("spec"))) {
        states.warn(
            "cluster %s: %s is not as it is shipped, so jobs of kubectl have the names of their namespaces"
                .formatted(cluster.name(), NAME));
        return null;
      }
      states.clear();
      Instant first = changed(policy.path("metadata"));
      Instant second = changed(binding.path("metadata"));
      return first.isAfter(second) ? first : second;
    } catch (ClusterException failure) {
      if (failure.reason() == Reason.AWAY) {
        throw failure;
      }
      states.warn(
          "cluster %s: %s cannot be read, so jobs of kubectl have the names of their namespaces: %s"
              .formatted(cluster.name(), NAME, failure.text()));
      return null;
    }
  }

  /** Whether an object has all that is shipped, and beside it only defaults. */
  static boolean isAsShipped(JsonNode shipped, JsonNode there) {
    if (!shipped.isObject()) {
      return shipped.isArray() ? areAsShipped(shipped, there) : shipped.equals(there);
    }
    for (Map.Entry<String, JsonNode> field : there.properties()) {
      boolean expected =
          shipped.has(field.getKey())
              ? isAsShipped(shipped.path(field.getKey()), field.getValue())
              : field.getValue().equals(DEFAULTS.get(field.getKey()));
      if (!expected) {
        return false;
      }
    }
    return shipped.properties().stream().allMatch(field -> there.has(field.getKey()));
  }

  private static boolean areAsShipped(JsonNode shipped, JsonNode there) {
    boolean same = there.isArray() && there.size() == shipped.size();
    for (int index = 0; same && index < shipped.size(); index++) {
      same = isAsShipped(shipped.path(index), there.path(index));
    }
    return same;
  }

  /** The last time at which anybody wrote more than the status of an object. */
  static Instant changed(JsonNode metadata) {
    Instant last = Instant.parse(metadata.path("creationTimestamp").asText());
    for (JsonNode writer : metadata.path("managedFields")) {
      if (!writer.has("subresource")) {
        Instant written = Instant.parse(writer.path("time").asText());
        last = written.isAfter(last) ? written : last;
      }
    }
    return last;
  }

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
