// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.client;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.exc.InvalidNullException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts the server's JSON to the records of {@code rest-model}, and records to the bodies of
 * requests. Fields that this build does not know are ignored, so that a newer server can answer it.
 *
 * <p>A value that a record leaves open, such as a field of a manifest, is a {@link JsonNode}. The
 * reader of a type is built when the type is first read: a command pays for what it prints only.
 */
public final class JsonRecords {
  private static final String ABSENT = "Missing required";
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .annotationIntrospector(new RequiredComponents())
          .addModule(
              new SimpleModule("sluice")
                  .addDeserializer(Instant.class, new TimeReader())
                  .addDeserializer(Object.class, new TreeReader())
                  .addSerializer(Instant.class, new TimeWriter()))
          .build();

  private JsonRecords() {}

  /**
   * Reads a record.
   *
   * @param path path of the request that was answered, for messages
   * @throws UnexpectedAnswerException if the JSON does not fit the record
   */
  public static <T> T read(JsonNode json, Class<T> type, String path) {
    if (!json.isObject()) {
      throw new UnexpectedAnswerException(path, "", "it is not a JSON object");
    }
    try {
      return JSON.treeToValue(json, type);
    } catch (JsonMappingException unfit) {
      throw new UnexpectedAnswerException(path, field(unfit), reason(unfit));
    } catch (JsonProcessingException unfit) {
      throw new UnexpectedAnswerException(path, "", unfit.getOriginalMessage());
    }
  }

  /** Returns the message of Jackson, but for absent fields, which it names in words of its own. */
  private static String reason(JsonMappingException unfit) {
    String message = unfit.getOriginalMessage();
    boolean absent = unfit instanceof InvalidNullException || message.startsWith(ABSENT);
    return absent ? "it is absent" : message;
  }

  private static String field(JsonMappingException unfit) {
    StringBuilder field = new StringBuilder();
    for (JsonMappingException.Reference step : unfit.getPath()) {
      if (step.getFieldName() == null) {
        field.append('[').append(step.getIndex()).append(']');
      } else {
        field.append(field.length() == 0 ? "" : ".").append(step.getFieldName());
      }
    }
    return field.toString();
  }

  /** Writes a record as the body of a request. */
  public static byte[] write(Record body) {
    try {
      return JSON.writeValueAsBytes(body);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * Returns a field of a tree that a record has as a map; missing if there is none.
   *
   * @param tree null: there is no tree
   */
  public static JsonNode field(@Nullable Map<String, Object> tree, String name) {
    return tree != null && tree.get(name) instanceof JsonNode value
        ? value
        : MissingNode.getInstance();
  }

  /** Returns a tree that a record has as a map. */
  public static ObjectNode tree(Map<String, Object> fields) {
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    fields.keySet().forEach(name -> tree.set(name, field(fields, name)));
    return tree;
  }

  /** Reads a time. */
  private static final class TimeReader extends StdScalarDeserializer<Instant> {
    private static final long serialVersionUID = 1L;

    TimeReader() {
      super(Instant.class);
    }

    @Override
    public Instant deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      String text = parser.getText();
      try {
        return Instant.parse(text);
      } catch (DateTimeException notTime) {
        throw context.weirdStringException(text, Instant.class, "not a time in UTC");
      }
    }
  }

  /** Writes a time. */
  private static final class TimeWriter extends StdScalarSerializer<Instant> {
    private static final long serialVersionUID = 1L;

    TimeWriter() {
      super(Instant.class);
    }

    @Override
    public void serialize(Instant time, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      json.writeString(time.toString());
    }
  }

  /** Reads any value as a tree. */
  private static final class TreeReader extends StdDeserializer<Object> {
    private static final long serialVersionUID = 1L;

    TreeReader() {
      super(Object.class);
    }

    @Override
    public Object deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      return context.readTree(parser);
    }

    @Override
    public Object getNullValue(DeserializationContext context) {
      return NullNode.getInstance();
    }

    @Override
    public @Nullable Object getAbsentValue(DeserializationContext context) {
      return null;
    }
  }
}
