// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quantity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.queuemodel.InvalidValueException;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ResourceListTest {
  private static final ResourceList SMALL =
      new ResourceList(new TreeMap<>(Map.of(ResourceName.CPU, 500L, ResourceName.MEMORY, 1024L)));

  @Test
  void amountThatIsNotThereIsZero() {
    assertThat(SMALL.get(ResourceName.TPU)).isZero();
    assertThat(ResourceList.NONE.isEmpty()).isTrue();
  }

  @Test
  void requestOfZeroIsNotNoRequest() {
    assertThat(ResourceList.of(ResourceName.TPU, 0)).isNotEqualTo(ResourceList.NONE);
    assertThat(ResourceList.of(ResourceName.TPU, 0).isEmpty()).isFalse();
  }

  @Test
  void amountsAddUpByResource() {
    assertThat(SMALL.plus(ResourceList.of(ResourceName.CPU, 250)).plus(SMALL))
        .hasToString("cpu: 1250m, memory: 2Ki");
    assertThat(SMALL.times(3)).hasToString("cpu: 1500m, memory: 3Ki");
    assertThat(SMALL.times(0).get(ResourceName.CPU)).isZero();
  }

  @Test
  void overflowIsRefusedWithTheResource() {
    ResourceList most = ResourceList.of(ResourceName.MEMORY, Long.MAX_VALUE);
    assertThatThrownBy(() -> most.plus(SMALL))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("memory");
    assertThatThrownBy(() -> most.times(2))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("2 times 9223372036854775807 of memory");
  }

  @Test
  void negativeAmountIsRefused() {
    assertThatThrownBy(() -> ResourceList.of(ResourceName.CPU, -1))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("cpu");
  }

  @Test
  void laterChangesOfTheSourceAreNotSeen() {
    TreeMap<ResourceName, Long> source = new TreeMap<>(Map.of(ResourceName.CPU, 1L));
    ResourceList list = new ResourceList(source);
    source.put(ResourceName.CPU, 2L);
    assertThat(list.get(ResourceName.CPU)).isEqualTo(1);
  }
}
