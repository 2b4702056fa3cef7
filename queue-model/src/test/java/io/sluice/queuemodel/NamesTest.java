// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
  static String[] labels() {
    return new String[] {"a", "0", "team-a", "a".repeat(63)};
  }

  static String[] noLabels() {
    return new String[] {"", "A", "-a", "a-", "a.b", "a_b", "a b", "é", "a\n", "a".repeat(64)};
  }

  @ParameterizedTest
  @MethodSource("labels")
  void dnsLabelsAreTaken(String name) {
    assertThat(Names.requireLabel(name)).isEqualTo(name);
  }

  @ParameterizedTest
  @MethodSource("noLabels")
  void otherNamesAreNoDnsLabels(String name) {
    assertThatThrownBy(() -> Names.requireLabel(name)).isInstanceOf(InvalidValueException.class);
  }

  static String[] subdomains() {
    return new String[] {"a", "a.b", "1.2", "team-a.example.com", "a".repeat(253)};
  }

  static String[] noSubdomains() {
    return new String[] {"", ".a", "a.", "a..b", "A", "a.-b", "a/b", "a".repeat(254)};
  }

  @ParameterizedTest
  @MethodSource("subdomains")
  void dnsSubdomainsAreTaken(String name) {
    assertThat(Names.requireSubdomain(name)).isEqualTo(name);
  }

  @ParameterizedTest
  @MethodSource("noSubdomains")
  void otherNamesAreNoDnsSubdomains(String name) {
    assertThatThrownBy(() -> Names.requireSubdomain(name))
        .isInstanceOf(InvalidValueException.class);
  }

  static String[] qualified() {
    return new String[] {
      "cpu",
      "google.com/tpu",
      "example.com/A_b.c-D",
      "a".repeat(63),
      "a".repeat(253) + "/" + "b".repeat(63)
    };
  }

  static String[] notQualified() {
    return new String[] {
      "",
      "/",
      "a/",
      "/a",
      "a/b/c",
      "-a",
      "a-",
      "A.com/b",
      "a b",
      "a".repeat(64),
      "a..b/c",
      "a.-b/c",
      "a".repeat(254) + "/b"
    };
  }

  @ParameterizedTest
  @MethodSource("qualified")
  void qualifiedNamesAreTaken(String name) {
    assertThat(Names.requireQualified(name)).isEqualTo(name);
  }

  @ParameterizedTest
  @MethodSource("notQualified")
  void otherNamesAreNotQualified(String name) {
    assertThatThrownBy(() -> Names.requireQualified(name))
        .isInstanceOf(InvalidValueException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "4x4", "A_b.c-D", "true"})
  void labelValuesAreTaken(String value) {
    assertThat(Names.requireLabelValue(value)).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(strings = {" ", "a b", "-a", "a-", "a/b", "a\n"})
  void otherTextIsNoLabelValue(String value) {
    assertThatThrownBy(() -> Names.requireLabelValue(value))
        .isInstanceOf(InvalidValueException.class);
    assertThatThrownBy(() -> Names.requireLabelValue("a".repeat(64)))
        .isInstanceOf(InvalidValueException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"A", "_", "a1", "PATH", "_x_9"})
  void environmentNamesAreTaken(String name) {
    assertThat(Names.requireEnvironmentName(name)).isEqualTo(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1A", "A B", "A=B", "A-B", "é"})
  void otherNamesAreNoEnvironmentNames(String name) {
    assertThatThrownBy(() -> Names.requireEnvironmentName(name))
        .isInstanceOf(InvalidValueException.class);
  }
}
