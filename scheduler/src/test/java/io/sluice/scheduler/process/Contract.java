// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.sluice.scheduler.process.Caller.Reply;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The OpenAPI document of a server, answers held against it, and those worth keeping as examples.
 */
final class Contract {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JsonSchemaFactory SCHEMAS =
      JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);

  private final JsonNode document;
  private final Map<String, JsonNode> operations = new HashMap<>();
  private final Map<String, Map<String, JsonNode>> answers = new TreeMap<>();

  private Contract(JsonNode document) {
    this.document = document;
    for (JsonNode path : document.path("paths")) {
      for (JsonNode operation : path) {
        operations.put(operation.path("operationId").asText(), operation);
      }
    }
  }

  static Contract of(Caller caller) throws Exception {
    return new Contract(caller.get("/openapi?format=json").is(200).json());
  }

  /** Checks that an answer is as the document says, and keeps it as an example. */
  Reply check(String operation, Reply reply) {
    JsonNode response = response(operation, reply);
    String type = reply.header("Content-Type").replaceFirst(";.*", "");
    if (reply.text().isEmpty()) {
      return reply;
    }
    JsonNode media = response.path("content").path(type);
    assertThat(media.isObject()).as("%s answers %s: %s", operation, type, response).isTrue();
    if (type.endsWith("json")) {
      ObjectNode schema = media.path("schema").deepCopy();
      schema.set("components", document.path("components"));
      JsonSchema compiled = SCHEMAS.getSchema(schema);
      assertThat(compiled.validate(reply.json()))
          .as("%s answered %s", operation, reply.text())
          .isEmpty();
      if (reply.status() < 300) {
        answers
            .computeIfAbsent(operation, first -> new TreeMap<>())
            .put(String.valueOf(reply.status()), reply.json());
      }
    }
    return reply;
  }

  private JsonNode response(String operation, Reply reply) {
    JsonNode described = operations.getOrDefault(operation, JSON.missingNode());
    assertThat(described.isObject()).as("operation " + operation).isTrue();
    JsonNode response = described.path("responses").path(String.valueOf(reply.status()));
    assertThat(response.isObject())
        .as("%s may answer %d: %s", operation, reply.status(), reply.text())
        .isTrue();
    String ref = response.path("$ref").asText();
    return ref.isEmpty() ? response : document.at(ref.substring(1));
  }

  /** The answers that were checked, by operation and status, as JSON; tokens are cut off. */
  String answers() throws Exception {
    String all = JSON.writerWithDefaultPrettyPrinter().writeValueAsString(answers) + "\n";
    return all.replaceAll("sluice_[A-Za-z0-9_-]{43}", "sluice_...");
  }

  /** The operations of the document that were not checked with an answer of success. */
  Iterable<String> withoutAnswer() {
    return operations.keySet().stream().filter(id -> !answers.containsKey(id)).sorted().toList();
  }
}
