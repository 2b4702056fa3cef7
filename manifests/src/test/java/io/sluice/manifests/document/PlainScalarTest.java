// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.POJONode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainScalarTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "~", "null", "Null", "NULL"})
  void nothingIsNull(String text) {
    assertThat(PlainScalar.resolve(text).isNull()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "True", "TRUE", "false", "False", "FALSE"})
  void truthIsTruth(String text) {
    assertThat(PlainScalar.resolve(text).isBoolean()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0", "7", "-7", "+7", "123456789012345678901234567890", "999999999999999999"})
  void decimalDigitsAreWholeNumbers(String text) {
    JsonNode node = PlainScalar.resolve(text);
    assertThat(node.isIntegralNumber()).isTrue();
    assertThat(node.bigIntegerValue()).isEqualTo(text.replace("+", ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.5", ".5", "5.", "-0.5e-3", "1e3", "1E+3", "0e0", "1e9999"})
  void fractionsAndExponentsAreNumbers(String text) {
    assertThat(PlainScalar.resolve(text).isBigDecimal()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "yes",
        "No",
        "ON",
        "off",
        "y",
        "N",
        "010",
        "-010",
        "08",
        "00.5",
        "0x1F",
        "0o17",
        "0b1",
        "1_000",
        "1_000.5",
        ".inf",
        "-.Inf",
        ".NaN",
        "1e99999",
        "-1E-99999"
      })
  void whatReadersDisagreeOnIsUnreadable(String text) {
    assertThat(PlainScalar.resolve(text))
        .isInstanceOfSatisfying(
            POJONode.class,
            node ->
                assertThat(node.getPojo())
                    .isInstanceOfSatisfying(
                        UnreadableScalar.class,
                        scalar -> assertThat(scalar.text()).isEqualTo(text)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "yesterday",
        "nullable",
        "1.2.3",
        "0.5.6",
        "1:30",
        "12:30:45",
        "2026-01-01",
        "-",
        "+",
        ".",
        "-a",
        "4x4",
        "16Gi",
        "500m",
        "0x",
        "1e",
        "e3",
        "<<",
        "=",
        "_1",
        "1a_2",
        "...",
        "+.",
        "10.0.0.1",
        "v1",
        "é"
      })
  void theRestIsText(String text) {
    assertThat(PlainScalar.resolve(text).textValue()).isEqualTo(text);
  }
}
