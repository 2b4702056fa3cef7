// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quantity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.queuemodel.InvalidValueException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ResourceTransformationsTest {
  private static final ResourceName GPU = new ResourceName("example.com/gpu");
  private static final ResourceName MIG = new ResourceName("example.com/mig-1g");
  private static final ResourceName CREDITS = new ResourceName("example.com/credits");

  private static SortedMap<ResourceName, BigDecimal> outputs(Map<ResourceName, String> each) {
    SortedMap<ResourceName, BigDecimal> outputs = new TreeMap<>();
    each.forEach((resource, amount) -> outputs.put(resource, Quantities.exact(amount)));
    return outputs;
  }

  private static ResourceList counted(
      Map<ResourceName, Long> requests, ResourceTransformation... transformations) {
    return new ResourceTransformations(List.of(), List.of(transformations))
        .of(new ResourceList(new TreeMap<>(requests)));
  }

  @Test
  void replacedResourceCountsAsItsOutputsOnly() {
    ResourceTransformation slices =
        new ResourceTransformation(
            MIG, false, null, outputs(Map.of(GPU, "0.5", ResourceName.MEMORY, "5Gi")));
    assertThat(counted(Map.of(MIG, 3L, ResourceName.CPU, 500L), slices).amounts())
        .isEqualTo(Map.of(GPU, 2L, ResourceName.MEMORY, 15L << 30, ResourceName.CPU, 500L));
  }

  @Test
  void retainedResourceCountsAsItselfToo() {
    ResourceTransformation credits =
        new ResourceTransformation(ResourceName.CPU, true, null, outputs(Map.of(CREDITS, "2")));
    assertThat(counted(Map.of(ResourceName.CPU, 1500L), credits).amounts())
        .isEqualTo(Map.of(ResourceName.CPU, 1500L, CREDITS, 3L));
  }

  @Test
  void outputsOfSeveralInputsAreAddedUpBeforeTheyAreRounded() {
    ResourceTransformation one =
        new ResourceTransformation(MIG, false, null, outputs(Map.of(CREDITS, "0.25")));
    ResourceTransformation other =
        new ResourceTransformation(GPU, false, null, outputs(Map.of(CREDITS, "0.75")));
    assertThat(counted(Map.of(MIG, 1L, GPU, 1L, CREDITS, 1L), one, other).amounts())
        .isEqualTo(Map.of(CREDITS, 2L));
  }

  @Test
  void inputIsMultipliedByAnotherResourceIfThatIsRequested() {
    ResourceTransformation each =
        new ResourceTransformation(ResourceName.MEMORY, true, GPU, outputs(Map.of(CREDITS, "1")));
    assertThat(counted(Map.of(ResourceName.MEMORY, 8L, GPU, 4L), each).amounts())
        .isEqualTo(Map.of(ResourceName.MEMORY, 32L, GPU, 4L, CREDITS, 32L));
    assertThat(counted(Map.of(ResourceName.MEMORY, 8L), each).amounts())
        .isEqualTo(Map.of(ResourceName.MEMORY, 8L, CREDITS, 8L));
  }

  @Test
  void replacedResourceWithoutOutputsAndExcludedOnesDoNotCount() {
    ResourceTransformation ignored =
        new ResourceTransformation(GPU, false, null, outputs(Map.of()));
    ResourceList requests =
        new ResourceList(new TreeMap<>(Map.of(GPU, 1L, MIG, 1L, ResourceName.CPU, 1L)));
    assertThat(
            new ResourceTransformations(List.of("example.com/mig"), List.of(ignored)).of(requests))
        .isEqualTo(ResourceList.of(ResourceName.CPU, 1));
    assertThat(ResourceTransformations.NONE.of(requests)).isSameAs(requests);
  }

  @Test
  void amountThatDoesNotFitIsRefused() {
    ResourceTransformation huge =
        new ResourceTransformation(GPU, false, null, outputs(Map.of(CREDITS, "9E")));
    assertThatThrownBy(() -> counted(Map.of(GPU, 2L), huge))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("example.com/credits");
  }
}
