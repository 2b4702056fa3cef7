// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The cases of our own under {@code cases}: each file is a case in YAML with what its answer must
 * contain. Members that a case does not name may be anything; a list of workloads is compared by
 * their names.
 */
class CaseFilesTest {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  static Stream<Path> files() throws IOException, URISyntaxException {
    Path folder =
        Path.of(Objects.requireNonNull(CaseFilesTest.class.getResource("/cases")).toURI());
    List<Path> files = new ArrayList<>();
    try (Stream<Path> walk = Files.walk(folder)) {
      walk.filter(file -> file.toString().endsWith(".yaml")).sorted().forEach(files::add);
    }
    assertThat(files).isNotEmpty();
    return files.stream();
  }

  @ParameterizedTest
  @MethodSource("files")
  void answerContainsTheExpectedMembers(Path file) throws IOException {
    ObjectNode asked = (ObjectNode) YAML.readTree(Files.readString(file));
    JsonNode expected = asked.remove("expected");
    ObjectNode answer = new CaseQuestions().answer(asked);
    assertThat(answer.has("error")).as("%s", answer).isFalse();
    assertThat(expected).isNotEmpty();
    expected
        .properties()
        .forEach(
            member ->
                assertThat(part(answer.path(member.getKey()), member.getValue()))
                    .as("%s of %s", member.getKey(), answer.toPrettyString())
                    .isEqualTo(member.getValue()));
  }

  /** Rounds admit and evict in these cases what isolated cycles do. */
  @ParameterizedTest
  @MethodSource("files")
  void roundsDecideTheSame(Path file) throws IOException {
    ObjectNode asked = (ObjectNode) YAML.readTree(Files.readString(file));
    JsonNode expected = asked.remove("expected");
    ObjectNode answer = new CaseQuestions(CaseRule.ROUND).answer(asked);
    assertThat(answer.has("error")).as("%s", answer).isFalse();
    for (String member : List.of("admitted", "preempted", "evicted", "unchanged")) {
      if (expected.has(member)) {
        assertThat(part(answer.path(member), expected.get(member)))
            .as("%s of %s", member, answer.toPrettyString())
            .isEqualTo(expected.get(member));
      }
    }
  }

  /** What an answer says of the members that are expected. */
  private static JsonNode part(JsonNode answer, JsonNode expected) {
    if (expected.isArray() && answer.isArray()) {
      List<JsonNode> parts = new ArrayList<>();
      for (int at = 0; at < answer.size(); at++) {
        JsonNode like = expected.isEmpty() ? expected : expected.get(Math.min(at, last(expected)));
        JsonNode one = answer.get(at);
        parts.add(like.isTextual() && one.isObject() ? one.path("workload") : part(one, like));
      }
      if (parts.stream().allMatch(JsonNode::isTextual)) {
        parts.sort((one, other) -> one.asText().compareTo(other.asText()));
      }
      return YAML.createArrayNode().addAll(parts);
    }
    if (expected.isObject() && answer.isObject()) {
      ObjectNode parts = YAML.createObjectNode();
      expected
          .properties()
          .forEach(
              member ->
                  parts.set(
                      member.getKey(), part(answer.path(member.getKey()), member.getValue())));
      return parts;
    }
    return answer;
  }

  private static int last(JsonNode list) {
    return list.size() - 1;
  }
}
