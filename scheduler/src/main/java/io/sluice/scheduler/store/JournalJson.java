// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.sluice.admission.state.record.RungProgress;
import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.ManifestWriter;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.job.IndexRanges;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.NodeAffinity;
import io.sluice.queuemodel.job.SliceRange;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.policy.LabelSelector;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The JSON format of the journal: records by their component names, values in their notation, quota
 * objects and fleets as manifests. Only this class reads it back; a change of the format is a
 * migration.
 */
public final class JournalJson {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .addModule(values())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(
                  JsonInclude.Include.NON_NULL, JsonInclude.Include.USE_DEFAULTS))
          // A list that was added to a record later reads as empty in older rows.
          .withConfigOverride(
              List.class,
              lists -> lists.setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
          .build();

  private static final TypeReference<LinkedHashMap<String, Object>> FIELDS =
      new TypeReference<>() {};

  private JournalJson() {}

  /** The JSON of a value of the journal's types. */
  public static String write(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException failure) {
      throw new StoreException("cannot write " + value.getClass().getSimpleName(), failure);
    }
  }

  /** The value that {@link #write} wrote. */
  public static <T> T read(String json, Class<T> type) {
    try {
      return MAPPER.readValue(json, type);
    } catch (JsonProcessingException failure) {
      throw new StoreException("cannot read " + type.getSimpleName() + " from " + json, failure);
    }
  }

  /** A mapper of this format with additional serializers. */
  public static ObjectMapper with(SimpleModule ways) {
    return MAPPER.copy().registerModule(ways);
  }

  /** Parses a job's progress on its rungs; null: it has none. */
  public static SortedMap<Integer, RungProgress> readLadder(@Nullable String json) {
    try {
      return json == null
          ? new TreeMap<>()
          : MAPPER.readValue(json, new TypeReference<TreeMap<Integer, RungProgress>>() {});
    } catch (JsonProcessingException failure) {
      throw new StoreException("cannot read a ladder from " + json, failure);
    }
  }

  /** The fields of a JSON object, in their order. */
  public static Map<String, Object> fields(String json) {
    try {
      return MAPPER.readValue(json, FIELDS);
    } catch (JsonProcessingException failure) {
      throw new StoreException("cannot read JSON", failure);
    }
  }

  /** The fields of a JSON object, in their order. */
  public static Map<String, Object> fields(JsonNode object) {
    return MAPPER.convertValue(object, FIELDS);
  }

  /** JSON as a tree. */
  public static JsonNode tree(String json) {
    try {
      return MAPPER.readTree(json);
    } catch (JsonProcessingException failure) {
      throw new StoreException("cannot read JSON", failure);
    }
  }

  private static SimpleModule values() {
    SimpleModule module = new SimpleModule("sluice");
    asText(module, JobId.class, JobId::parse);
    asText(module, SliceTopology.class, SliceTopology::parse);
    asText(module, IndexRanges.class, IndexRanges::parse);
    asText(module, ResourceName.class, ResourceName::new);
    asText(module, ObjectKind.class, JournalJson::objectKind);
    module.addDeserializer(NodeAffinity.class, affinity());
    addSliceRange(module);
    module.addKeyDeserializer(
        ResourceName.class,
        new KeyDeserializer() {
          @Override
          public Object deserializeKey(String key, DeserializationContext context) {
            return new ResourceName(key);
          }
        });
    asMap(module, Labels.class, Labels::entries, String.class, Labels::of);
    asMap(module, ResourceList.class, ResourceList::amounts, Long.class, JournalJson::amounts);
    asManifest(
        module,
        QuotaObject.class,
        object -> LadderJson.write(object, MAPPER),
        node -> LadderJson.read(objectKind(node.path("kind").asText()), node, MAPPER));
    asManifest(
        module,
        Fleet.class,
        ManifestWriter::toJson,
        node -> ManifestReader.readFleet(node, ReadingTerms.STORED));
    return module;
  }

  /** A plain number, as written before ranges existed, is both minimum and maximum. */
  private static void addSliceRange(SimpleModule module) {
    module.addSerializer(
        SliceRange.class,
        new JsonSerializer<SliceRange>() {
          @Override
          public void serialize(SliceRange value, JsonGenerator json, SerializerProvider provider)
              throws IOException {
            if (value.equals(SliceRange.exactly(value.min()))) {
              json.writeNumber(value.min());
              return;
            }
            json.writeStartObject();
            json.writeNumberField("min", value.min());
            json.writeNumberField("max", value.max());
            json.writeStringField("minGrow", value.minGrow().toString());
            json.writeEndObject();
          }
        });
    module.addDeserializer(
        SliceRange.class,
        new JsonDeserializer<SliceRange>() {
          @Override
          public SliceRange deserialize(JsonParser json, DeserializationContext context)
              throws IOException {
            JsonNode node = json.readValueAsTree();
            return node.isInt()
                ? SliceRange.exactly(node.intValue())
                : new SliceRange(
                    node.path("min").intValue(),
                    node.path("max").intValue(),
                    Duration.parse(node.path("minGrow").asText()));
          }
        });
  }

  /** Pods in rows older than affinities may run anywhere. */
  private static JsonDeserializer<NodeAffinity> affinity() {
    return new JsonDeserializer<>() {
      @Override
      public NodeAffinity deserialize(JsonParser json, DeserializationContext context)
          throws IOException {
        JsonNode affinity = json.readValueAsTree();
        return new NodeAffinity(requirements(affinity, "terms"))
            .choosing(requirements(affinity, "alternatives"));
      }

      private List<List<LabelSelector.Requirement>> requirements(JsonNode affinity, String field) {
        return affinity.has(field)
            ? MAPPER.convertValue(
                affinity.path(field), new TypeReference<List<List<LabelSelector.Requirement>>>() {})
            : List.of();
      }

      @Override
      public NodeAffinity getNullValue(DeserializationContext context) {
        return NodeAffinity.ANY;
      }
    };
  }

  private static ObjectKind objectKind(String word) {
    for (ObjectKind kind : ObjectKind.values()) {
      if (kind.kind().equals(word)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("no such kind: " + word);
  }

  private static ResourceList amounts(Map<String, Long> amounts) {
    TreeMap<ResourceName, Long> result = new TreeMap<>();
    amounts.forEach((resource, amount) -> result.put(new ResourceName(resource), amount));
    return new ResourceList(result);
  }

  private static <T> void asText(SimpleModule module, Class<T> type, Function<String, T> parse) {
    module.addSerializer(
        type,
        new JsonSerializer<T>() {
          @Override
          public void serialize(T value, JsonGenerator json, SerializerProvider provider)
              throws IOException {
            json.writeString(value.toString());
          }
        });
    module.addDeserializer(
        type,
        new JsonDeserializer<T>() {
          @Override
          public T deserialize(JsonParser json, DeserializationContext context) throws IOException {
            return parse.apply(json.getValueAsString());
          }
        });
  }

  private static <T, V> void asMap(
      SimpleModule module,
      Class<T> type,
      Function<T, ? extends Map<?, V>> entries,
      Class<V> valueType,
      Function<Map<String, V>, T> read) {
    module.addSerializer(
        type,
        new JsonSerializer<T>() {
          @Override
          public void serialize(T value, JsonGenerator json, SerializerProvider provider)
              throws IOException {
            json.writeStartObject();
            for (Map.Entry<?, V> entry : entries.apply(value).entrySet()) {
              json.writeObjectField(entry.getKey().toString(), entry.getValue());
            }
            json.writeEndObject();
          }
        });
    module.addDeserializer(
        type,
        new JsonDeserializer<T>() {
          @Override
          public T deserialize(JsonParser json, DeserializationContext context) throws IOException {
            return read.apply(
                context.readValue(
                    json,
                    context
                        .getTypeFactory()
                        .constructMapType(TreeMap.class, String.class, valueType)));
          }
        });
  }

  private static <T> void asManifest(
      SimpleModule module, Class<T> type, Function<T, JsonNode> write, Function<JsonNode, T> read) {
    module.addSerializer(
        type,
        new JsonSerializer<T>() {
          @Override
          public void serialize(T value, JsonGenerator json, SerializerProvider provider)
              throws IOException {
            json.writeTree(write.apply(value));
          }
        });
    module.addDeserializer(
        type,
        new JsonDeserializer<T>() {
          @Override
          public T deserialize(JsonParser json, DeserializationContext context) throws IOException {
            return read.apply(json.readValueAsTree());
          }
        });
  }
}
