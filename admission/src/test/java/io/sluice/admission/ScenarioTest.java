// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.scenario.ScenarioRunner;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class ScenarioTest {
  @TestFactory
  Stream<DynamicTest> everyScenarioComesOutAsItSays() throws IOException, URISyntaxException {
    URI folder = Objects.requireNonNull(ScenarioTest.class.getResource("/scenarios")).toURI();
    List<Path> files;
    try (Stream<Path> found = Files.walk(Path.of(folder))) {
      files = found.filter(file -> file.toString().endsWith(".txt")).sorted().toList();
    }
    assertThat(files).isNotEmpty();
    return files.stream()
        .map(
            file ->
                DynamicTest.dynamicTest(
                    file.getFileName().toString().replace(".txt", "").replace('-', ' '),
                    () -> new ScenarioRunner().run(Files.readString(file))));
  }
}
