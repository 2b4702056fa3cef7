// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException.Reason;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A client of one cluster's API server. Each method makes one request within the cluster's bounds,
 * and throws {@link ClusterException} if the request fails.
 *
 * <p>Requests use the client's typed and generic resources. Raw requests remain where these do not
 * fit: deletions on the condition of a uid, objects that are sent as trees in the version of their
 * manifest, and paths of APIs that only the caller knows.
 */
public final class Cluster implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(5);
  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

  private static final ResourceDefinitionContext EVENTS =
      ClusterKind.context("v1", "Event", "events");
  private static final ResourceDefinitionContext DEPLOYMENTS =
      ClusterKind.context("apps/v1", "Deployment", "deployments");

  private final String name;
  private final KubernetesClient client;
  private final RequestBounds bounds;
  private final Reachability reachability;

  Cluster(String name, KubernetesClient client, RequestBounds bounds) {
    this.name = name;
    this.client = client;
    this.bounds = bounds;
    this.reachability = new Reachability(name, Clock.systemUTC());
  }

  public String name() {
    return name;
  }

  /** Returns whether the API server answers. */
  public Reachability reachability() {
    return reachability;
  }

  /**
   * Records the failure if it means that the API server did not answer.
   *
   * @return false if the API server has answered, with a refusal
   */
  boolean noteFailure(Throwable failure) {
    boolean away = Refusals.isNoAnswer(failure);
    if (away) {
      reachability.failed(String.valueOf(failure.getMessage()).lines().findFirst().orElse(""));
    }
    return away;
  }

  /**
   * Sends a cheap request and records whether it was answered: a watch on a hanging API server does
   * not end.
   */
  public void probe() {
    HttpClient http = client.getHttpClient();
    try {
      HttpRequest request =
          http.newHttpRequestBuilder()
              .uri(client.getMasterUrl() + "version")
              .timeout(PROBE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
              .build();
      var unused =
          http.sendAsync(request, String.class)
              .get(PROBE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
      reachability.answered();
    } catch (ExecutionException failure) {
      reachability.failed("a probe failed: " + failure.getCause());
    } catch (TimeoutException failure) {
      reachability.failed("a probe is not answered within " + PROBE_TIMEOUT.toSeconds() + " s");
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the client for watches, which do not count against the bounds. */
  public KubernetesClient client() {
    return client;
  }

  /** Creates an object and returns it as stored. */
  public JsonNode create(ObjectNode object, String namespace) {
    String word = object.path("kind").asText();
    String version = object.path("apiVersion").asText();
    String uri =
        ClusterKind.isWord(word)
            ? ClusterKind.of(word).path(version, namespace)
            : BesideKind.of(word).path(version, namespace);
    return read(ask(() -> client.raw(uri, "POST", object), true));
  }

  /** Returns the object of that name; null if there is none. */
  public @Nullable JsonNode find(ObjectRef object) {
    try {
      GenericKubernetesResource found = ask(() -> resource(object).get());
      return found == null ? null : JSON.valueToTree(found);
    } catch (ClusterException failure) {
      if (failure.reason() == Reason.GONE) {
        return null;
      }
      throw failure;
    }
  }

  /** Returns the object with that UID; null if it is gone, even if another one has its name. */
  public @Nullable JsonNode findSame(ObjectRef object) {
    JsonNode there = find(object);
    return there == null || !ObjectRef.of(object.kind(), there).uid().equals(object.uid())
        ? null
        : there;
  }

  /** Whether the object with that UID is gone; another one may have its name. */
  public boolean isGone(ObjectRef object) {
    return findSame(object) == null;
  }

  /** Whether all remaining pods of an attempt have ended. */
  public boolean arePodsOver(String namespace, AttemptKey attempt) {
    return list(ClusterKind.POD, namespace, LabelledAttempt.selector(attempt)).stream()
        .allMatch(Adopted::isPodOver);
  }

  /** Lists the objects of a kind in a namespace by a label selector. */
  public List<JsonNode> list(ClusterKind kind, String namespace, String selector) {
    try {
      return items(kind.context(), namespace, new ListOptionsBuilder().withLabelSelector(selector));
    } catch (ClusterException failure) {
      if (failure.reason() == Reason.GONE) { // the kind itself does not exist
        return List.of();
      }
      throw failure;
    }
  }

  /**
   * Lists the objects at a path, in all namespaces, by a label selector; empty if the path is
   * unknown.
   */
  List<JsonNode> listAll(String path, String selector) {
    try {
      return items(path + "?labelSelector=" + URLEncoder.encode(selector, StandardCharsets.UTF_8));
    } catch (ClusterException failure) {
      if (failure.reason() == Reason.GONE) {
        return List.of();
      }
      throw failure;
    }
  }

  /** Creates an object at a path; false if its name is taken. */
  boolean createAt(String path, ObjectNode object) {
    try {
      JsonNode unused = read(ask(() -> client.raw(path, "POST", object), true));
      return true;
    } catch (ClusterException failure) {
      if (failure.reason() != Reason.TAKEN) {
        throw failure;
      }
      return false;
    }
  }

  /** Deletes the object with that path and UID at once; no error if it is gone or replaced. */
  void deleteAt(String path, String uid) {
    ObjectNode options = JsonNodeFactory.instance.objectNode();
    options.put("propagationPolicy", "Background").put("gracePeriodSeconds", 0);
    boolean unused = delete(path, uid, options);
  }

  /** Returns the API's answer at a path; throws if it is missing or refused. */
  public JsonNode get(String path) {
    return read(ask(() -> client.raw(path, "GET", null)));
  }

  /**
   * Lists the latest Events of a namespace, which the cluster keeps for about an hour; one page at
   * most.
   *
   * @param fields a field selector
   */
  public List<JsonNode> events(String namespace, String fields) {
    return items(
        EVENTS,
        namespace,
        new ListOptionsBuilder().withLimit(ClusterWatch.PAGE).withFieldSelector(fields));
  }

  /** Whether the cluster has a kind. */
  public boolean has(ClusterKind kind) {
    try {
      APIResourceList served = ask(() -> client.getApiResources(kind.apiVersion()));
      return served != null
          && served.getResources().stream().anyMatch(one -> one.getName().equals(kind.plural()));
    } catch (ClusterException failure) {
      if (failure.reason() == Reason.GONE) {
        return false;
      }
      throw failure;
    }
  }

  /**
   * Patches the spec of an object if its resourceVersion is unchanged, and returns it as stored.
   *
   * @param change patch of the object's {@code spec}
   */
  public JsonNode change(ObjectRef object, ObjectNode change) {
    ObjectNode patch = preconditions(object);
    patch.set("spec", change);
    return patch(object, patch);
  }

  private JsonNode patch(ObjectRef object, ObjectNode patch) {
    return JSON.valueToTree(ask(() -> resource(object).patch(MERGE, patch.toString())));
  }

  private Resource<GenericKubernetesResource> resource(ObjectRef object) {
    return client
        .genericKubernetesResources(object.kind().context())
        .inNamespace(object.namespace())
        .withName(object.name());
  }

  /**
   * Replaces an object if its version and UID are still those in the metadata.
   *
   * @return the object as stored
   */
  public JsonNode replace(ClusterKind kind, ObjectNode object) {
    String path = ObjectRef.of(kind, object).path();
    return read(ask(() -> client.raw(path, "PUT", object)));
  }

  /**
   * Patches the object's {@code status} as {@link #change} does: null removes a field, lists are
   * replaced.
   */
  public JsonNode changeStatus(ObjectRef object, ObjectNode change) {
    ObjectNode patch = preconditions(object);
    patch.set("status", change);
    return JSON.valueToTree(
        ask(() -> resource(object).subresource("status").patch(MERGE, patch.toString())));
  }

  private static ObjectNode preconditions(ObjectRef object) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch
        .putObject("metadata")
        .put("uid", object.uid().toString())
        .put("resourceVersion", object.resourceVersion());
    return patch;
  }

  /** Creates an Event; nothing depends on it. */
  public void tell(String namespace, ObjectNode event) {
    String uri = "/api/v1/namespaces/" + namespace + "/events";
    JsonNode unused = read(ask(() -> client.raw(uri, "POST", event)));
  }

  /** Sets a label of an object if its resourceVersion is unchanged. */
  public void label(ObjectRef object, String label, String value) {
    ObjectNode patch = preconditions(object);
    patch.withObject("/metadata").putObject("labels").put(label, value);
    JsonNode unused = patch(object, patch);
  }

  /** Sets a label of a namespace; null removes it. */
  void labelNamespace(String name, String label, @Nullable String value) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("metadata").putObject("labels").put(label, value);
    var unused = ask(() -> client.namespaces().withName(name).patch(MERGE, patch.toString()));
  }

  /** Whether Sluice's account has a right in a namespace. */
  public boolean isPermitted(String verb, String group, String resource, String namespace) {
    SelfSubjectAccessReview review =
        new SelfSubjectAccessReviewBuilder()
            .withNewSpec()
            .withNewResourceAttributes()
            .withVerb(verb)
            .withGroup(group)
            .withResource(resource)
            .withNamespace(namespace)
            .endResourceAttributes()
            .endSpec()
            .build();
    SelfSubjectAccessReview answer =
        ask(() -> client.authorization().v1().selfSubjectAccessReview().create(review));
    return answer != null
        && answer.getStatus() != null
        && Boolean.TRUE.equals(answer.getStatus().getAllowed());
  }

  /** Whether the API serves a path. */
  public boolean serves(String path) {
    try {
      var unused = ask(() -> client.raw(path, "GET", null));
      return unused != null;
    } catch (ClusterException failure) {
      if (failure.reason() == Reason.GONE) {
        return false;
      }
      throw failure;
    }
  }

  /** Lists the Deployments of a namespace by a label selector. */
  public List<JsonNode> deployments(String namespace, String selector) {
    return items(DEPLOYMENTS, namespace, new ListOptionsBuilder().withLabelSelector(selector));
  }

  private List<JsonNode> items(
      ResourceDefinitionContext kind, String namespace, ListOptionsBuilder options) {
    GenericKubernetesResourceList found =
        ask(
            () ->
                client
                    .genericKubernetesResources(kind)
                    .inNamespace(namespace)
                    .list(options.build()));
    List<JsonNode> items = new ArrayList<>();
    if (found != null) {
      found.getItems().forEach(item -> items.add(JSON.valueToTree(item)));
    }
    return items;
  }

  private List<JsonNode> items(String uri) {
    List<JsonNode> items = new ArrayList<>();
    read(ask(() -> client.raw(uri, "GET", null))).path("items").forEach(items::add);
    return items;
  }

  /**
   * Deletes the object with that UID and the objects that it owns.
   *
   * @return false if it is gone or another object has its name
   */
  public boolean delete(ObjectRef object, Duration grace) {
    ObjectNode options = JsonNodeFactory.instance.objectNode();
    options.put("propagationPolicy", "Foreground");
    if (object.kind() == ClusterKind.POD) {
      options.put("gracePeriodSeconds", seconds(grace));
    }
    return delete(object.path(), object.uid().toString(), options);
  }

  /** A raw request, because the client's deletion supports no UID precondition. */
  private boolean delete(String path, String uid, ObjectNode options) {
    options.put("apiVersion", "v1").put("kind", "DeleteOptions");
    options.putObject("preconditions").put("uid", uid);
    try {
      ask(() -> client.raw(path, "DELETE", options));
      return true;
    } catch (ClusterException failure) {
      if (failure.reason() != Reason.GONE && failure.reason() != Reason.CONFLICT) {
        throw failure;
      }
      return false;
    }
  }

  /** Deletes the pods of a namespace that match a selector, with a grace period. */
  public void deletePods(String namespace, String selector, Duration grace) {
    ObjectNode options = JsonNodeFactory.instance.objectNode();
    options.put("apiVersion", "v1").put("kind", "DeleteOptions");
    options.put("gracePeriodSeconds", seconds(grace));
    String uri =
        ClusterKind.POD.path(namespace)
            + "?labelSelector="
            + URLEncoder.encode(selector, StandardCharsets.UTF_8);
    ask(() -> client.raw(uri, "DELETE", options));
  }

  /** Rounds up to whole seconds. */
  private static long seconds(Duration grace) {
    return grace.plusMillis(999).toSeconds();
  }

  private static JsonNode read(@Nullable String answer) {
    try {
      return JSON.readTree(answer == null ? "{}" : answer);
    } catch (JsonProcessingException unreadable) {
      throw new ClusterException(Reason.AWAY, "the API server's answer is not JSON", unreadable);
    }
  }

  private <T> @Nullable T ask(Supplier<@Nullable T> request) {
    return ask(request, false);
  }

  private <T> @Nullable T ask(Supplier<@Nullable T> request, boolean creates) {
    return bounds.within(
        () -> {
          try {
            T answer = request.get();
            reachability.answered();
            return answer;
          } catch (KubernetesClientException failure) {
            if (!noteFailure(failure)) {
              reachability.answered();
            }
            throw Refusals.of(name, failure, creates);
          }
        });
  }

  @Override
  public void close() {
    client.close();
  }
}
