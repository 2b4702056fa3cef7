// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.job.NodeAffinity;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.LabelSelector.Operator;
import io.sluice.queuemodel.quota.LabelSelector.Requirement;
import java.util.List;
import org.junit.jupiter.api.Test;

class JournalJsonTest {
  private static final ResourceList ONE_CORE =
      ResourceList.of(ResourceName.CPU, ResourceName.CPU.unitsPerOne());

  @Test
  void shapeFromBeforeAffinityAndLeastCountsIsReadAsItWasMeant() {
    String before =
        """
        {"podSets": [{"name": "main", "count": 2, "requests": {"cpu": 1000}, "nodeSelector": {},
          "tolerations": []}]}
        """;
    WorkloadShape shape = JournalJson.read(before, WorkloadShape.class);
    PodSet podSet = new PodSet("main", 2, ONE_CORE, Labels.NONE, List.of());
    assertThat(shape).isEqualTo(new WorkloadShape(List.of(podSet), null));
    assertThat(shape.canonical()).isEqualTo(new WorkloadShape(List.of(podSet), null).canonical());
  }

  @Test
  void shapeWithAffinityAndLeastCountComesBackAsItWas() {
    NodeAffinity affinity =
        new NodeAffinity(
            List.of(
                List.of(
                    new Requirement("zone", Operator.IN, List.of("a", "b")),
                    new Requirement("chips", Operator.GREATER_THAN, List.of("8"))),
                List.of(new Requirement("spare", Operator.EXISTS, List.of()))));
    PodSet podSet = new PodSet("main", 8, ONE_CORE, Labels.NONE, List.of(), affinity, 2, null);
    WorkloadShape shape = new WorkloadShape(List.of(podSet), null);
    assertThat(JournalJson.read(JournalJson.write(shape), WorkloadShape.class)).isEqualTo(shape);
  }
}
