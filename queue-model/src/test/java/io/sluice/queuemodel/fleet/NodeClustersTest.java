// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.Labels;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeClustersTest {
  private static final Labels HERE = Labels.of(Map.of("zone", "a", NodeClusters.CLUSTER, "here"));
  private static final Labels THERE =
      HERE.with(Labels.of(Map.of(NodeClusters.CLUSTER, "there", NodeClusters.BY_NAME, "true")));

  @Test
  void aFlavorThatNamesNoClusterOffersTheDefaultOneOnly() {
    Labels flavor = Labels.of(Map.of("zone", "a"));
    assertThat(NodeClusters.offers(flavor, HERE)).isTrue();
    assertThat(NodeClusters.offers(Labels.NONE, HERE)).isTrue();
    assertThat(NodeClusters.offers(flavor, THERE)).isFalse();
    assertThat(NodeClusters.offers(Labels.NONE, THERE)).isFalse();
  }

  @Test
  void aFlavorThatNamesAClusterOffersThatOne() {
    Labels flavor = Labels.of(Map.of(NodeClusters.CLUSTER, "there"));
    assertThat(NodeClusters.offers(flavor, THERE)).isTrue();
    assertThat(NodeClusters.offers(flavor, HERE)).isFalse();
  }

  @Test
  void nodesHaveToCarryAllLabelsOfTheFlavorBesides() {
    Labels flavor = Labels.of(Map.of(NodeClusters.CLUSTER, "there", "zone", "b"));
    assertThat(NodeClusters.offers(flavor, THERE)).isFalse();
  }
}
