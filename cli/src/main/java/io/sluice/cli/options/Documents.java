// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.options;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.cli.client.ClientException;
import io.sluice.manifests.ManifestWriter;
import java.util.List;

/** Formats answers as JSON or YAML for other programs. */
public final class Documents {
  private Documents() {}

  /** Formats items as one document; see {@link #write}. */
  public static String writeList(List<JsonNode> items, String form) {
    ObjectNode list = JsonNodeFactory.instance.objectNode();
    list.putArray("items").addAll(items);
    return write(list, form);
  }

  /** Formats a document as {@code json} or {@code yaml}, ending with a line break. */
  public static String write(JsonNode document, String form) {
    try {
      return switch (form) {
        case "json" ->
            new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(document)
                + System.lineSeparator();
        case "yaml" -> ManifestWriter.writeYaml((ObjectNode) document);
        default -> throw new ClientException("-o must be json or yaml here, it is " + form);
      };
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
