// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Parses JSON to a tree; a duplicate key is a violation. */
final class JsonComposer implements DocumentSource {
  /** Names from outside are not interned: what interns them never forgets. */
  private static final JsonFactory FACTORY =
      JsonFactory.builder().disable(JsonFactory.Feature.INTERN_FIELD_NAMES).build();

  private static final int PROBLEM_LENGTH_MAX = 200;

  private final JsonParser parser;

  JsonComposer(String text) {
    try {
      parser = FACTORY.createParser(text);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  @Override
  public @Nullable Document next(Violations violations) throws BrokenSyntaxException {
    try {
      JsonToken token = parser.nextToken();
      return token == null ? null : new Document(node(token, Path.ROOT, 1, violations), violations);
    } catch (JsonProcessingException problem) {
      throw new BrokenSyntaxException(Path.ROOT, "is not JSON: " + explain(problem));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private JsonNode node(JsonToken token, Path path, int depth, Violations violations)
      throws IOException, BrokenSyntaxException {
    if (depth > TextDocuments.DEPTH_MAX) {
      throw new BrokenSyntaxException(
          path, "is nested too deeply: at most " + TextDocuments.DEPTH_MAX + " levels");
    }
    return switch (token) {
      case START_OBJECT -> object(path, depth, violations);
      case START_ARRAY -> array(path, depth, violations);
      case VALUE_TRUE -> BooleanNode.TRUE;
      case VALUE_FALSE -> BooleanNode.FALSE;
      case VALUE_NULL -> NullNode.getInstance();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> PlainScalar.resolve(parser.getText());
      default -> TextNode.valueOf(parser.getText());
    };
  }

  private ObjectNode object(Path path, int depth, Violations violations)
      throws IOException, BrokenSyntaxException {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    for (String key = parser.nextFieldName(); key != null; key = parser.nextFieldName()) {
      Path field = path.field(key);
      JsonNode value = node(parser.nextToken(), field, depth + 1, violations);
      if (object.has(key)) {
        violations.add(field, value, "is there twice");
      }
      object.set(key, value);
    }
    return object;
  }

  private ArrayNode array(Path path, int depth, Violations violations)
      throws IOException, BrokenSyntaxException {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      array.add(node(token, path.index(array.size()), depth + 1, violations));
    }
    return array;
  }

  /** The parser's own words, without what it says of its source. */
  private static String explain(JsonProcessingException problem) {
    JsonLocation location = problem.getLocation();
    String words = String.valueOf(problem.getOriginalMessage());
    int aside = words.indexOf(" (start marker at");
    String where =
        location == null
            ? ""
            : "line " + location.getLineNr() + ", column " + location.getColumnNr() + ": ";
    return where + Excerpt.of(aside < 0 ? words : words.substring(0, aside), PROBLEM_LENGTH_MAX);
  }
}
