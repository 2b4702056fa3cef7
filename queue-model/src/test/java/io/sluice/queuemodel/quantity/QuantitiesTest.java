// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quantity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.queuemodel.InvalidValueException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantitiesTest {
  private static final ResourceName LICENCE = new ResourceName("example.com/licence");

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 1000",
    "+1, 1000",
    "-0, 0",
    "0.5, 500",
    ".5, 500",
    "5., 5000",
    "500m, 500",
    "1500m, 1500",
    "2k, 2000000",
    "1e3, 1000000",
    "1E3, 1000000",
    "1e-3, 1",
    "1Ki, 1024000",
    "1u, 1",
    "1n, 1",
    "0n, 0",
    "1.0001, 1001",
    "0.0000001, 1",
    "9223372036854775807m, 9223372036854775807"
  })
  void coresAreCountedInThousandthsAndRoundedUp(String text, long expected) {
    assertThat(Quantities.parse(text, ResourceName.CPU)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "128974848, 128974848",
    "129e6, 129000000",
    "129M, 129000000",
    "123Mi, 128974848",
    "1Ki, 1024",
    "1Gi, 1073741824",
    "1Ti, 1099511627776",
    "1Pi, 1125899906842624",
    "7Ei, 8070450532247928832",
    "1k, 1000",
    "1G, 1000000000",
    "1T, 1000000000000",
    "1P, 1000000000000000",
    "9E, 9000000000000000000",
    "1.5Gi, 1610612736",
    "0.3Ki, 308",
    "1m, 1",
    "1500m, 2",
    "9223372036854775807, 9223372036854775807"
  })
  void bytesAreCountedWholeAndRoundedUp(String text, long expected) {
    assertThat(Quantities.parse(text, ResourceName.MEMORY)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " 1",
        "1 ",
        "one",
        "1GB",
        "1gi",
        "1K",
        "1kk",
        "1mm",
        "--1",
        "1e",
        "1e1000",
        "1e99999",
        "0x10",
        "1,000",
        "1_000",
        "NaN",
        "Infinity",
        ".",
        "+",
        "1.2.3",
        "1e1.5",
        "1\n",
        "1e61",
        "1e-61",
        "99999999999999999999999999999999999999999"
      })
  void otherTextIsRefused(String text) {
    assertThatThrownBy(() -> Quantities.parse(text, ResourceName.MEMORY))
        .isInstanceOf(InvalidValueException.class);
  }

  @Test
  void refusalsSayWhatWouldBeRight() {
    assertThatThrownBy(() -> Quantities.parse("four", ResourceName.CPU))
        .hasMessage("must be a quantity such as 4, 500m or 16Gi");
    assertThatThrownBy(() -> Quantities.parse("-1", ResourceName.CPU))
        .hasMessage("must not be negative");
    assertThatThrownBy(() -> Quantities.parse("4GB", ResourceName.MEMORY))
        .hasMessageContaining("unknown suffix 'GB'");
    assertThatThrownBy(() -> Quantities.parse("8Ei", ResourceName.MEMORY))
        .hasMessage("is too large: at most 9223372036854775807 of memory");
    assertThatThrownBy(() -> Quantities.parse("9223372036854775808m", ResourceName.CPU))
        .hasMessage("is too large: at most 9223372036854775807m of cpu");
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 1m", "500, 500m", "1000, 1", "1500, 1500m", "64000, 64"})
  void coresAreWrittenWholeOrInThousandths(long amount, String expected) {
    assertThat(Quantities.format(amount, ResourceName.CPU)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 1",
    "1023, 1023",
    "1024, 1Ki",
    "1536, 1536",
    "1048576, 1Mi",
    "1610612736, 1536Mi",
    "17179869184, 16Gi",
    "1152921504606846976, 1Ei"
  })
  void bytesAreWrittenInTheLargestUnitThatIsExact(long amount, String expected) {
    assertThat(Quantities.format(amount, ResourceName.MEMORY)).isEqualTo(expected);
  }

  @Test
  void otherResourcesAreWrittenAsNumbers() {
    assertThat(Quantities.format(2048, LICENCE)).isEqualTo("2048");
    assertThat(Quantities.format(4, ResourceName.TPU)).isEqualTo("4");
  }

  @Test
  void whatIsWrittenIsReadAsItWas() {
    Random random = new Random(11);
    for (int i = 0; i < 2000; i++) {
      long amount = (random.nextLong() >>> 1) >>> random.nextInt(63);
      for (ResourceName resource : List.of(ResourceName.CPU, ResourceName.MEMORY, LICENCE)) {
        assertThat(Quantities.parse(Quantities.format(amount, resource), resource))
            .as("%d of %s", amount, resource)
            .isEqualTo(amount);
      }
    }
  }
}
