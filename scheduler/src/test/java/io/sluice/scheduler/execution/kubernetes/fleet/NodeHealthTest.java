// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NodeBuilder;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeHealthTest {
  private static NodeHealth after(String... happenings) {
    GkeNodes nodes = GkeNodes.of("node n");
    for (String happening : happenings) {
      nodes.then("n " + happening);
    }
    return NodeHealth.of(Objects.requireNonNull(nodes.node("n")));
  }

  @ParameterizedTest
  @CsvSource({
    "is not ready, GONE, is not ready: KubeletStopped",
    "does not answer, GONE, is not ready: NodeStatusUnknown",
    "has taint node.kubernetes.io/unreachable=, GONE, has the taint"
        + " node.kubernetes.io/unreachable",
    "has taint node.kubernetes.io/out-of-service=x, GONE, has the taint"
        + " node.kubernetes.io/out-of-service",
    "is cordoned, CLOSED, is cordoned",
    "has taint ToBeDeletedByClusterAutoscaler=1, CLOSED, has the taint"
        + " ToBeDeletedByClusterAutoscaler",
    "has taint startup-taint.cluster-autoscaler.kubernetes.io/net=1, CLOSED, has the taint"
        + " startup-taint.cluster-autoscaler.kubernetes.io/net",
    "has label cloud.google.com/perform-maintenance=true, CLOSED, is to be maintained",
    "has label cloud.google.com/active-node-maintenance=ONGOING, LEAVING, is being maintained",
    "has taint cloud.google.com/impending-node-termination=, LEAVING, is about to be terminated",
  })
  void whatIsSaidOfANodeTellsItsHealth(String happening, NodeHealth.State state, String reason) {
    NodeHealth health = after(happening);
    assertThat(health.state()).isEqualTo(state);
    assertThat(health.reason()).isEqualTo(reason);
  }

  @ParameterizedTest
  @CsvSource({
    "has taint dedicated=team",
    "has taint DeletionCandidateOfClusterAutoscaler=1",
    "has label cloud.google.com/scheduled-maintenance-time=1795000000",
    "has label cloud.google.com/active-node-maintenance=PENDING",
  })
  void whatIsOnlyAnnouncedDoesNotMakeANodeUnwell(String happening) {
    assertThat(after(happening)).isEqualTo(NodeHealth.WELL);
  }

  @Test
  void theWorstCounts() {
    assertThat(after("is cordoned", "is not ready").state()).isEqualTo(NodeHealth.State.GONE);
    assertThat(
            after("is cordoned", "has taint cloud.google.com/impending-node-termination=").state())
        .isEqualTo(NodeHealth.State.LEAVING);
  }

  @Test
  void spotNodesLeaveSoonerThanThoseThatAreMaintained() {
    String leaving = "has taint cloud.google.com/impending-node-termination=";
    assertThat(after(leaving).notice()).isEqualTo(NodeHealth.MAINTENANCE_NOTICE);
    assertThat(after("has label cloud.google.com/gke-spot=true", leaving).notice())
        .isEqualTo(NodeHealth.SPOT_NOTICE);
  }

  @Test
  void aNodeThatHasNotSaidAnythingIsNotWell() {
    NodeHealth health =
        NodeHealth.of(new NodeBuilder().withNewMetadata().withName("new").endMetadata().build());
    assertThat(health).isEqualTo(NodeHealth.gone("has not said that it is ready"));
  }

  @Test
  void aNodeThatIsBeingDeletedIsGone() {
    NodeHealth health =
        NodeHealth.of(
            new NodeBuilder(GkeNodes.of("node n").node("n"))
                .editMetadata()
                .withDeletionTimestamp("2026-11-21T10:00:00Z")
                .endMetadata()
                .build());
    assertThat(health.state()).isEqualTo(NodeHealth.State.GONE);
  }
}
