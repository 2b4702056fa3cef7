// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The committed OpenAPI document keeps the rules that generated clients and readers rely on. */
class OpenApiDocumentTest {
  private static final String DOCUMENT = "../docs/openapi.yaml";

  /**
   * Reads of a cluster's Kueue, which the recorded server does not have; and a loss without one.
   */
  private static final Set<String> WITHOUT_EXAMPLE = Set.of("importKueue", "confirmLost");

  private static JsonNode document;

  @BeforeAll
  static void read() throws IOException {
    document = new YAMLMapper().readTree(Path.of(DOCUMENT).toFile());
  }

  private static List<JsonNode> operations() {
    List<JsonNode> operations = new ArrayList<>();
    document.path("paths").forEach(path -> path.forEach(operations::add));
    return operations;
  }

  private static String id(JsonNode operation) {
    return operation.path("operationId").asText();
  }

  @Test
  void operationsHaveIdsThatNameMethods() {
    assertThat(operations()).hasSizeGreaterThan(50);
    assertThat(operations().stream().map(OpenApiDocumentTest::id))
        .doesNotHaveDuplicates()
        .allMatch(id -> id.matches("[a-z]+([A-Z][a-z]+)*"));
  }

  @Test
  void operationsAreDescribedAndHaveOneTag() {
    for (JsonNode operation : operations()) {
      assertThat(operation.path("summary").asText()).as(id(operation)).matches("[A-Z].*[^.]");
      assertThat(operation.path("tags").size()).as(id(operation)).isEqualTo(1);
    }
  }

  @Test
  void parametersAreDescribedAndTyped() {
    for (JsonNode operation : operations()) {
      for (JsonNode parameter : operation.path("parameters")) {
        String what = id(operation) + " " + parameter.path("name").asText();
        assertThat(parameter.path("description").asText()).as(what).matches("(?s)\\S.*[^.\\s]");
        // openapi-python-client leaves out an operation whose parameter has a default elsewhere.
        assertThat(parameter.at("/schema").has("type")).as(what).isTrue();
      }
    }
  }

  @Test
  void operationsSaySuccessAndRefusals() {
    for (JsonNode operation : operations()) {
      Set<String> statuses = new TreeSet<>();
      operation.path("responses").fieldNames().forEachRemaining(statuses::add);
      assertThat(statuses).as(id(operation)).anyMatch(status -> status.startsWith("2"));
      assertThat(statuses).as(id(operation)).contains("400", "403", "500", "503");
      boolean open = operation.has("security") && operation.path("security").isEmpty();
      assertThat(statuses.contains("401")).as(id(operation)).isEqualTo(!open);
    }
  }

  @Test
  void answersOfJsonHaveARealExample() {
    for (JsonNode operation : operations()) {
      if (!WITHOUT_EXAMPLE.contains(id(operation))) {
        JsonNode responses = operation.path("responses");
        for (Map.Entry<String, JsonNode> response : responses.properties()) {
          JsonNode json = response.getValue().at("/content/application~1json");
          assertThat(json.isMissingNode() || json.has("example"))
              .as("%s %s has an example", id(operation), response.getKey())
              .isTrue();
        }
      }
    }
  }

  @Test
  void fieldsAreDescribedAndReferencesResolve() {
    JsonNode schemas = document.at("/components/schemas");
    assertThat(schemas.size()).isGreaterThan(50);
    for (Map.Entry<String, JsonNode> schema : schemas.properties()) {
      for (Map.Entry<String, JsonNode> field : schema.getValue().path("properties").properties()) {
        assertThat(field.getValue().path("description").asText())
            .as(schema.getKey() + "." + field.getKey())
            .isNotBlank();
      }
    }
    List<String> references = document.findValuesAsText("$ref");
    assertThat(references)
        .allSatisfy(ref -> assertThat(document.at(ref.substring(1)).isObject()).as(ref).isTrue());
  }

  @Test
  void schemasHaveNamesThatGeneratorsKeep() {
    List<String> names = new ArrayList<>();
    document.at("/components/schemas").fieldNames().forEachRemaining(names::add);
    assertThat(names).allMatch(name -> name.matches("[A-Za-z0-9]+"));
    for (JsonNode operation : operations()) {
      for (JsonNode content : operation.path("responses").findValues("content")) {
        for (JsonNode media : content) {
          JsonNode schema = media.path("schema");
          assertThat(schema.has("anyOf") && !schema.has("title")).as(id(operation)).isFalse();
        }
      }
    }
  }

  @Test
  void componentsAreUsed() {
    Set<String> used = new TreeSet<>(document.findValuesAsText("$ref"));
    for (String kind : List.of("schemas", "responses")) {
      document
          .at("/components/" + kind)
          .fieldNames()
          .forEachRemaining(
              name -> assertThat(used).contains("#/components/%s/%s".formatted(kind, name)));
    }
  }
}
