// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.scheduler.execution.kubernetes.adoption.AdoptionWatch;
import io.sluice.scheduler.execution.kubernetes.adoption.ObjectStatus;
import io.sluice.scheduler.execution.kubernetes.cluster.BesideKind;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterKind;
import io.sluice.scheduler.process.Installation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Each kind of request that the server makes of a cluster is allowed by the roles that are shipped.
 */
class ShippedRolesTest {
  private static boolean allows(String role, String group, String resource, String verb)
      throws Exception {
    for (JsonNode rule : rules(role)) {
      if (has(rule.path("apiGroups"), group)
          && has(rule.path("resources"), resource)
          && has(rule.path("verbs"), verb)) {
        return true;
      }
    }
    return false;
  }

  private static List<JsonNode> rules(String role) throws Exception {
    List<JsonNode> rules = new ArrayList<>();
    for (JsonNode document : Installation.documents()) {
      if (document.path("kind").asText().equals("ClusterRole")
          && document.at("/metadata/name").asText().equals(role)) {
        document.path("rules").forEach(rules::add);
      }
    }
    assertThat(rules).as(role).isNotEmpty();
    return rules;
  }

  private static boolean has(JsonNode list, String wanted) {
    for (JsonNode one : list) {
      if (one.asText().equals(wanted)) {
        return true;
      }
    }
    return false;
  }

  private static void assertRuns(String group, String resource, String... verbs) throws Exception {
    for (String verb : verbs) {
      assertThat(allows("sluice-run", group, resource, verb))
          .as("%s %s of group '%s'", verb, resource, group)
          .isTrue();
    }
  }

  private static String group(String apiVersion) {
    int slash = apiVersion.indexOf('/');
    return slash < 0 ? "" : apiVersion.substring(0, slash);
  }

  @Test
  void eachKindIsWatchedAndCreatedChangedAndDeleted() throws Exception {
    for (ClusterKind kind : ClusterKind.values()) {
      String group = group(kind.apiVersion());
      for (String verb : List.of("get", "list", "watch")) {
        assertThat(allows("sluice-watch", group, kind.plural(), verb)).as(verb + kind).isTrue();
      }
      assertRuns(group, kind.plural(), "create", "delete", "patch");
    }
    for (ClusterKind kind : AdoptionWatch.KINDS) {
      assertRuns(group(kind.apiVersion()), kind.plural(), "update");
      if (ObjectStatus.hasConditions(kind)) {
        assertRuns(group(kind.apiVersion()), kind.plural() + "/status", "patch");
      }
    }
  }

  @Test
  void podsOfAnAttemptAreDeletedAtOnceAndEventsAreReadAndWritten() throws Exception {
    assertRuns("", "pods", "deletecollection");
    assertRuns("", "pods/log", "get");
    assertRuns("", "events", "create", "list");
  }

  @Test
  void whatAManifestMayCarryBesideItsJobIsCreatedAndNeitherChangedNorDeleted() throws Exception {
    for (BesideKind kind : BesideKind.values()) {
      String group = group(kind.apiVersion());
      assertRuns(group, kind.plural(), "create");
      for (String verb : List.of("patch", "update", "delete")) {
        assertThat(allows("sluice-run", group, kind.plural(), verb)).as(verb + kind).isFalse();
      }
    }
  }

  @Test
  void namespacesAreChangedAndDeploymentsReadOnlyWhereARoleIsBound() throws Exception {
    for (String verb : List.of("patch", "update")) {
      assertThat(allows("sluice-watch", "", "namespaces", verb)).isFalse();
      assertThat(allows("sluice-run", "", "namespaces", verb)).isFalse();
    }
    assertThat(allows("sluice-watch", "apps", "deployments", "list")).isFalse();
    assertThat(allows("sluice-label-namespaces", "", "namespaces", "patch")).isTrue();
  }
}
