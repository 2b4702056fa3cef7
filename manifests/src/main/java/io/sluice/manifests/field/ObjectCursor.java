// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.field;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.document.Path;
import io.sluice.manifests.document.Violations;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of one object, so that a reader of a kind reads like its schema. Every field of
 * the schema is asked for once, whether it is there or not; {@link #end} then refuses the others.
 *
 * <p>What is not right is said to the violations, and the reader goes on with null, an empty list
 * or the fallback, so that all that is wrong is found at once. A reader must not use what it made
 * unless the violations are empty. A null in place of a scalar or a map is as good as nothing, as
 * in Kubernetes; in place of an object or a list it is a violation, since there it mostly stands
 * for something forgotten.
 */
public final class ObjectCursor {
  private final ObjectNode node;
  private final Path path;
  private final String owner;
  private final Violations violations;
  private final ScalarReader scalars;
  private final Set<String> schema = new TreeSet<>();
  private final Set<String> refused = new TreeSet<>();

  private ObjectCursor(ObjectNode node, Path path, String owner, Violations violations) {
    this.node = node;
    this.path = path;
    this.owner = owner;
    this.violations = violations;
    this.scalars = new ScalarReader(violations);
  }

  /**
   * A cursor over an object; null if it is none, which then was said.
   *
   * @param owner what the object is, for messages: {@code a ClusterQueue}
   */
  public static @Nullable ObjectCursor open(
      JsonNode node, Path path, String owner, Violations violations) {
    if (node instanceof ObjectNode object) {
      return new ObjectCursor(object, path, owner, violations);
    }
    violations.add(path, node, "must be an object: " + owner);
    return null;
  }

  public Path path() {
    return path;
  }

  public Path path(String field) {
    return path.field(field);
  }

  public Violations violations() {
    return violations;
  }

  /**
   * Whether something other than null stands there. It does not make the field part of the schema.
   */
  public boolean has(String field) {
    return node.hasNonNull(field);
  }

  /** Says that what stands in a field is not right. */
  public void refuse(String field, String message) {
    violations.add(path(field), node.get(field), message);
  }

  /** As {@link #refuse(String, String)}, in the words of a rule. */
  public void refuse(String field, InvalidValueException problem) {
    refuse(field, String.valueOf(problem.getMessage()));
  }

  public @Nullable String text(String field) {
    JsonNode value = present(field);
    return value == null ? null : scalars.text(value, path(field));
  }

  /** Text that obeys a rule, see {@link ScalarReader#checked}. */
  public @Nullable String text(String field, UnaryOperator<String> rule) {
    JsonNode value = present(field);
    return value == null ? null : scalars.checked(value, path(field), rule);
  }

  /** Text that must be there; empty if it is not or is not right. */
  public String requiredText(String field, UnaryOperator<String> rule) {
    if (!require(field)) {
      return "";
    }
    String text = text(field, rule);
    return text == null ? "" : text;
  }

  public @Nullable Integer whole(String field, int min, int max) {
    JsonNode value = present(field);
    Long whole = value == null ? null : scalars.whole(value, path(field), min, max);
    return whole == null ? null : Math.toIntExact(whole);
  }

  public int whole(String field, int min, int max, int fallback) {
    Integer whole = whole(field, min, max);
    return whole == null ? fallback : whole;
  }

  public @Nullable Boolean flag(String field) {
    JsonNode value = present(field);
    return value == null ? null : scalars.flag(value, path(field));
  }

  public @Nullable Long quantity(String field, ResourceName resource) {
    JsonNode value = present(field);
    return value == null ? null : scalars.quantity(value, path(field), resource);
  }

  /** A duration between two, both included. */
  public @Nullable Duration duration(String field, Duration min, Duration max) {
    if (node.path(field).isNumber()) {
      schema.add(field);
      refuse(field, "must name its unit, as in 90s");
      return null;
    }
    String text = text(field);
    if (text == null) {
      return null;
    }
    try {
      Duration duration = DurationNotation.parse(text);
      if (duration.compareTo(min) >= 0 && duration.compareTo(max) <= 0) {
        return duration;
      }
      refuse(
          field,
          "must be between "
              + DurationNotation.format(min)
              + " and "
              + DurationNotation.format(max));
    } catch (InvalidValueException problem) {
      refuse(field, problem);
    }
    return null;
  }

  /** A number in the notation of quantities that is none of a resource; it may be negative. */
  public @Nullable BigDecimal exactQuantity(String field) {
    JsonNode value = present(field);
    return value == null ? null : scalars.exactQuantity(value, path(field));
  }

  public @Nullable BigDecimal decimal(String field) {
    JsonNode value = present(field);
    return value == null ? null : scalars.decimal(value, path(field));
  }

  /**
   * One of a few words; null if there is none or it is not right.
   *
   * @param notation how each is written
   */
  public <E> @Nullable E word(String field, List<E> words, Function<E, String> notation) {
    String written = text(field);
    if (written == null) {
      return null;
    }
    for (E word : words) {
      if (notation.apply(word).equals(written)) {
        return word;
      }
    }
    List<String> known = words.stream().map(notation).toList();
    refuse(
        field,
        "must be one of " + String.join(", ", known) + NearestWord.suggestion(written, known));
    return null;
  }

  public <E> E word(String field, List<E> words, Function<E, String> notation, E fallback) {
    E word = word(field, words, notation);
    return word == null ? fallback : word;
  }

  /** The object in a field; null if there is none or it is not right. */
  public @Nullable ObjectCursor object(String field, String what) {
    schema.add(field);
    JsonNode value = node.get(field);
    return value == null ? null : open(value, path(field), what, violations);
  }

  /** The object in a field; one without fields if there is none or it is not right. */
  public ObjectCursor objectOrEmpty(String field, String what) {
    ObjectCursor object = object(field, what);
    return object == null
        ? new ObjectCursor(JsonNodeFactory.instance.objectNode(), path(field), what, violations)
        : object;
  }

  /** The entries of a list; none if there is no list, it is not right or too long. */
  public List<JsonNode> items(String field, int countMax) {
    schema.add(field);
    JsonNode value = node.get(field);
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof ArrayNode array)) {
      refuse(field, "must be a list");
      return List.of();
    }
    if (array.size() > countMax) {
      refuse(field, "has " + array.size() + " entries: at most " + countMax);
      return List.of();
    }
    List<JsonNode> items = new ArrayList<>(array.size());
    array.forEach(items::add);
    return items;
  }

  /**
   * The objects of a list.
   *
   * @param read null: the object is not right and was said to be
   */
  public <T> List<T> objects(
      String field, int countMax, String what, Function<ObjectCursor, @Nullable T> read) {
    List<T> objects = new ArrayList<>();
    List<JsonNode> items = items(field, countMax);
    for (int i = 0; i < items.size() && !violations.isFull(); i++) {
      ObjectCursor entry = open(items.get(i), path(field).index(i), what, violations);
      T object = entry == null ? null : read.apply(entry);
      if (object != null) {
        objects.add(object);
      }
    }
    return objects;
  }

  /** The texts of a list that obey a rule. */
  public List<String> texts(String field, int countMax, UnaryOperator<String> rule) {
    List<String> texts = new ArrayList<>();
    List<JsonNode> items = items(field, countMax);
    for (int i = 0; i < items.size() && !violations.isFull(); i++) {
      String text = scalars.checked(items.get(i), path(field).index(i), rule);
      if (text != null) {
        texts.add(text);
      }
    }
    return texts;
  }

  /** What a map's entry is given to. */
  public interface EntryReader {
    /** Takes an entry whose key obeys the rule; what is wrong with its value is its to say. */
    void read(String key, JsonNode value, Path path, ScalarReader scalars);
  }

  /**
   * The entries of a map, one by one.
   *
   * @param keyRule what every key must obey
   */
  public void entries(
      String field, int countMax, UnaryOperator<String> keyRule, EntryReader reader) {
    JsonNode value = present(field);
    if (value == null) {
      return;
    }
    if (!value.isObject()) {
      refuse(field, "must be a map");
      return;
    }
    if (value.size() > countMax) {
      refuse(field, "has " + value.size() + " entries: at most " + countMax);
      return;
    }
    Iterator<Map.Entry<String, JsonNode>> entries = value.properties().iterator();
    while (entries.hasNext() && !violations.isFull()) {
      Map.Entry<String, JsonNode> entry = entries.next();
      Path entryPath = path(field).key(entry.getKey());
      try {
        reader.read(keyRule.apply(entry.getKey()), entry.getValue(), entryPath, scalars);
      } catch (InvalidValueException problem) {
        violations.add(entryPath, entry.getKey(), String.valueOf(problem.getMessage()));
      }
    }
  }

  /** How much of each resource; none if the field is not there. */
  public ResourceList amounts(String field) {
    TreeMap<ResourceName, Long> amounts = new TreeMap<>();
    entries(
        field,
        Schema.RESOURCES_MAX,
        Names::requireQualified,
        (key, value, place, reader) -> {
          ResourceName resource = new ResourceName(key);
          Long amount = reader.quantity(value, place, resource);
          if (amount != null) {
            amounts.put(resource, amount);
          }
        });
    return new ResourceList(amounts);
  }

  /** Fields that may be there and mean nothing here. */
  public void ignore(String... fields) {
    schema.addAll(List.of(fields));
  }

  /** Fields of the schema that this version would have to honour and cannot. */
  public void refuseUnsupported(String... fields) {
    for (String field : fields) {
      refuseAs(field, "is not supported yet");
    }
  }

  /** A field that has another name here, or belongs elsewhere. */
  public void refuseAs(String field, String message) {
    refused.add(field);
    JsonNode value = node.get(field);
    if (value != null && !value.isNull() && !(value.isArray() && value.isEmpty())) {
      refuse(field, message);
    }
  }

  /** Says that a field must be there if it is not. */
  public boolean require(String field) {
    schema.add(field);
    if (node.hasNonNull(field)) {
      return true;
    }
    violations.add(path(field), "", "is required");
    return false;
  }

  public boolean isList(String field) {
    return node.get(field) instanceof ArrayNode;
  }

  /** Whether a list stands there that is not empty. */
  public boolean hasEntries(String field) {
    return node.get(field) instanceof ArrayNode array && !array.isEmpty();
  }

  /** Says that a list must be there, and not an empty one, if it is not. */
  public void requireEntries(String field) {
    if (require(field) && node.get(field) instanceof ArrayNode array && array.isEmpty()) {
      refuse(field, "must have at least one entry");
    }
  }

  /** Refuses the fields that nobody asked for. */
  public void end() {
    Iterator<String> names = node.fieldNames();
    while (names.hasNext() && !violations.isFull()) {
      String name = names.next();
      if (!schema.contains(name) && !refused.contains(name)) {
        refuse(name, "is not a field of " + owner + NearestWord.suggestion(name, schema));
      }
    }
  }

  /** The text that stands in a field, whatever is to be read from it; null if it is no text. */
  public @Nullable String scalar(String field) {
    JsonNode value = present(field);
    return value == null ? null : value.textValue();
  }

  /** Whatever stands in a field; null if nothing does. */
  public @Nullable JsonNode raw(String field) {
    return present(field);
  }

  private @Nullable JsonNode present(String field) {
    schema.add(field);
    JsonNode value = node.get(field);
    return value == null || value.isNull() ? null : value;
  }
}
