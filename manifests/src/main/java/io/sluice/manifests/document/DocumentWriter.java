// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.document;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

/** Writes a document as text, as this module reads it again. */
public final class DocumentWriter {
  private static final ObjectWriter JSON = JsonMapper.builder().build().writer();
  private static final ObjectWriter YAML =
      YAMLMapper.builder(
              YAMLFactory.builder()
                  .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                  .enable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                  .disable(YAMLGenerator.Feature.SPLIT_LINES)
                  .enable(YAMLGenerator.Feature.INDENT_ARRAYS_WITH_INDICATOR)
                  .stringQuotingChecker(new YamlQuoting())
                  .build())
          .build()
          .writer();

  private DocumentWriter() {}

  /** JSON on one line. */
  public static String json(ObjectNode document) {
    return write(JSON, document);
  }

  /** One YAML document, which begins with {@code ---} and ends with a line's end. */
  public static String yaml(ObjectNode document) {
    return write(YAML, document);
  }

  private static String write(ObjectWriter writer, ObjectNode document) {
    try {
      return writer.writeValueAsString(document);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("a tree could not be written", impossible);
    }
  }
}
