// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.scheduler.kube.CertificateFiles;
import io.sluice.scheduler.kube.ControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * A cluster administrator other than Sluice who uses kubectl, in a cluster with the policies or the
 * webhooks of adoption.
 */
final class KubectlUser implements AutoCloseable {
  private static final String NAME = "alice";
  private static final String RIGHTS =
      """
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRoleBinding
      metadata: {name: alice}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
      subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: alice}]
      """;
  private static final List<String> POLICIES =
      List.of(
          "adoption/policies",
          "adoption/bindings",
          "adoption-kueue-label/bindings",
          "adoption-submitters/policy");
  private static final List<String> WEBHOOKS =
      List.of("adoption-webhook/webhooks", "adoption-webhook-kueue-label/webhooks");
  private static final String PROBE =
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: probe, labels: {kueue.x-k8s.io/queue-name: main}}
      spec:
        template: {spec: {restartPolicy: Never, containers: [{name: main, image: probe}]}}
      """;

  private final ControlPlane plane;
  private final List<String> installed;

  private KubectlUser(ControlPlane plane, List<String> installed) {
    this.plane = plane;
    this.installed = installed;
  }

  /** Installs the policies and waits until they take effect. */
  static KubectlUser of(ControlPlane plane) throws IOException {
    List<String> policies = new ArrayList<>();
    for (String file : POLICIES) {
      policies.add(component(file));
    }
    return install(plane, policies);
  }

  /**
   * Installs the webhooks and waits until they take effect.
   *
   * @param url URL that the API server calls
   * @param authority certificate authority of the endpoint
   */
  static KubectlUser asking(ControlPlane plane, String url, CertificateFiles authority)
      throws IOException {
    List<String> webhooks = new ArrayList<>();
    for (String file : WEBHOOKS) {
      for (JsonNode configuration : Installation.documents(component(file))) {
        for (JsonNode webhook : configuration.path("webhooks")) {
          String path = webhook.at("/clientConfig/service/path").asText();
          ((ObjectNode) webhook)
              .putObject("clientConfig")
              .put("url", url + path)
              .put("caBundle", authority.authority());
        }
        webhooks.add(configuration.toString());
      }
    }
    return install(plane, webhooks);
  }

  private static KubectlUser install(ControlPlane plane, List<String> manifests) {
    KubectlUser user = new KubectlUser(plane, manifests);
    plane.apply(RIGHTS);
    manifests.forEach(plane::apply);
    plane.await("nodes", "", nodes -> user.probe(PROBE).contains("suspend: true"));
    return user;
  }

  /** Reads a file as it is installed. */
  private static String component(String file) throws IOException {
    return Files.readString(Path.of("../deploy/components", file + ".yaml"));
  }

  /** Runs kubectl, which must succeed, and returns its output. */
  String kubectl(String... arguments) {
    return plane.kubectl(asUser(arguments));
  }

  private static String[] asUser(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--as=" + NAME);
    return all.toArray(String[]::new);
  }

  void create(String manifest) {
    plane.kubectlWith(manifest, asUser("create", "-f", "-"));
  }

  /** Returns the object that a dry run would create. */
  String probe(String manifest) {
    return plane.kubectlWith(
        manifest, asUser("create", "--dry-run=server", "-o", "yaml", "-f", "-"));
  }

  /** Returns the objects that a dry run would create as JSON, one after another. */
  String probeJson(String manifests) {
    return plane.kubectlWith(
        manifests, asUser("create", "--dry-run=server", "-o", "json", "-f", "-"));
  }

  /** Returns the id of the job that adopted an object. */
  static String adopted(Caller caller, String name) throws Exception {
    String path = "/v1/jobs?namespace=default&name=" + name;
    return caller
        .await(path, reply -> !reply.each("/items", "id").isEmpty())
        .each("/items", "id")
        .get(0);
  }

  JsonNode object(String kind, String name) {
    return plane.list(kind, "").stream()
        .filter(one -> one.at("/metadata/name").asText().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("there is no " + kind + " " + name));
  }

  void awaitObject(String kind, String name, Predicate<JsonNode> expected) {
    plane.await(
        kind,
        "",
        all ->
            all.stream()
                .anyMatch(
                    one -> one.at("/metadata/name").asText().equals(name) && expected.test(one)));
  }

  void awaitEvent(String name, String reason, String message) {
    plane.await(
        "events",
        "",
        all ->
            all.stream()
                .filter(one -> one.at("/involvedObject/name").asText().equals(name))
                .filter(one -> one.path("reason").asText().equals(reason))
                .anyMatch(one -> one.path("message").asText().contains(message)));
  }

  /** Removes what was installed, if it exists. */
  @Override
  public void close() {
    for (String manifest : installed) {
      plane.kubectlWith(manifest, "delete", "--ignore-not-found", "-f", "-");
    }
    plane.kubectl("delete", "--ignore-not-found", "clusterrolebinding", NAME);
  }
}
