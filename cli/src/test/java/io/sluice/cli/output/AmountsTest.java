// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Amounts in the units in which people think of them. */
class AmountsTest {
  @ParameterizedTest
  @CsvSource({
    "1500m, cpu, 1.5",
    "983, cpu, 983",
    "983000m, cpu, 983",
    "0, cpu, 0",
    "1099511627776, memory, 1Ti",
    "1Ti, memory, 1Ti",
    "1024Gi, memory, 1Ti",
    "1065151889408, memory, 992Gi",
    "1000000000, memory, 953.67Mi",
    "1000, memory, 1000",
    "107374182400, ephemeral-storage, 100Gi",
    "2097152, hugepages-2Mi, 2Mi",
    "100000, google.com/tpu, 100000",
    "many, cpu, many",
  })
  void anAmountHasTheUnitOfItsResource(String amount, String resource, String shown) {
    assertThat(Amounts.shown(amount, resource)).isEqualTo(shown);
  }
}
