// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.manifests.document.Violation;
import io.sluice.queuemodel.fleet.FleetFault;
import io.sluice.queuemodel.fleet.FleetFault.Kind;
import io.sluice.queuemodel.fleet.FleetFaults;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaultsReaderTest {
  private static final String HEAD = "apiVersion: sluice.io/v1\nkind: Faults\nspec:\n";

  private static List<String> refused(String text) {
    return catchThrowableOfType(InvalidManifestException.class, () -> FaultsReader.read(text))
        .violations()
        .stream()
        .map(Violation::toString)
        .toList();
  }

  @Test
  void aScriptAndChanceAreRead() {
    FleetFaults faults =
        FaultsReader.read(
            HEAD
                + """
                  faults:
                  - {after: 30s, reclaim: spot-1, notice: 30s}
                  - {after: 40s, return: spot-1}
                  - {after: 1m, failHost: h3}
                  - {after: 2m, returnHost: h3}
                  - {after: 10s, outOfStock: spot}
                  - {after: 20s, inStock: spot}
                  random: {seed: 7, meanTimeBetweenReclaims: 5m}
                """);
    assertThat(faults.script())
        .hasSize(6)
        .startsWith(
            new FleetFault(Duration.ofSeconds(30), Kind.RECLAIM, "spot-1", Duration.ofSeconds(30)),
            new FleetFault(Duration.ofSeconds(40), Kind.RETURN, "spot-1", Duration.ZERO));
    assertThat(faults.random())
        .isEqualTo(
            new FleetFaults.RandomFaults(
                7, Duration.ofMinutes(5), Duration.ZERO, null, Duration.ofMinutes(1)));
  }

  @Test
  void whatIsWrongIsSaidWithItsPlace() {
    assertThat(
            refused(
                HEAD
                    + """
                      faults:
                      - {after: 30s}
                      - {reclaim: spot-1}
                      - {after: 30s, failHost: h, returnHost: h}
                      - {after: 30s, failHost: h, notice: 3s}
                      - {after: 30s, outOfStock: gold}
                      random: {seed: -1, often: 1}
                    """))
        .hasSize(7)
        .anySatisfy(line -> assertThat(line).contains("spec.faults[0].after", "has 0"))
        .anySatisfy(line -> assertThat(line).contains("spec.faults[1].after"))
        .anySatisfy(line -> assertThat(line).contains("spec.faults[2].after", "has 2"))
        .anySatisfy(line -> assertThat(line).contains("spec.faults[3].notice"))
        .anySatisfy(line -> assertThat(line).contains("spec.faults[4].outOfStock", "gold"))
        .anySatisfy(line -> assertThat(line).contains("spec.random.seed"))
        .anySatisfy(line -> assertThat(line).contains("spec.random.often"));
    assertThat(refused(HEAD.replace("Faults", "Fleet"))).isNotEmpty();
    assertThat(refused("")).isNotEmpty();
  }
}
