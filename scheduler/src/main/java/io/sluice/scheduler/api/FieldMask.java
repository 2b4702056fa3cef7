// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an answer that a caller wants, as the parameter {@code fields} names them: paths
 * such as {@code items.status.state}, separated by commas. A path goes through each element of a
 * list. A path to an object means all of it.
 */
final class FieldMask {
  private static final int PATHS_MAX = 100;
  private static final int DEPTH_MAX = 10;

  /**
   * A component of a record.
   *
   * @param name in JSON
   */
  private record Member(String name, Method accessor) {
    static Member of(RecordComponent component) {
      Method accessor = component.getAccessor();
      JsonProperty property = accessor.getAnnotation(JsonProperty.class);
      return new Member(property == null ? component.getName() : property.value(), accessor);
    }

    @Nullable Object of(Object value) {
      try {
        return accessor.invoke(value);
      } catch (ReflectiveOperationException closed) {
        throw new IllegalStateException("cannot read " + accessor, closed);
      }
    }
  }

  /** The components of a class; none if it is no record. */
  private static final ClassValue<List<Member>> MEMBERS =
      new ClassValue<>() {
        @Override
        protected List<Member> computeValue(Class<?> type) {
          return type.isRecord()
              ? Arrays.stream(type.getRecordComponents()).map(Member::of).toList()
              : List.of();
        }
      };

  /** By name; empty if all of the value is wanted. */
  private final Map<String, FieldMask> fields = new TreeMap<>();

  private FieldMask() {}

  /**
   * Parses a parameter.
   *
   * @throws ProblemException if a path is empty, or if there are too many or too deep paths
   */
  static FieldMask of(String text) {
    String[] paths = text.split(",", -1);
    if (paths.length > PATHS_MAX) {
      throw ProblemException.badRequest(
          "fields has %d paths, and at most %d are allowed".formatted(paths.length, PATHS_MAX));
    }
    FieldMask mask = new FieldMask();
    for (String path : paths) {
      mask.add(path);
    }
    return mask;
  }

  /** Whether a field of the body itself is wanted, or a part of it. */
  boolean has(String field) {
    return fields.containsKey(field);
  }

  /** A path that is part of another one adds nothing, and one that includes another replaces it. */
  private void add(String path) {
    String[] names = path.split("\\.", DEPTH_MAX + 1);
    if (names.length > DEPTH_MAX) {
      throw ProblemException.badRequest(
          "fields must have at most %d names in a path, it has %s"
              .formatted(DEPTH_MAX, Parameters.shown(path)));
    }
    FieldMask at = this;
    for (int level = 0; level < names.length; level++) {
      String name = names[level];
      if (name.isBlank()) {
        throw ProblemException.badRequest(
            "fields must be names such as items.id, separated by commas, it is "
                + Parameters.shown(path));
      }
      FieldMask known = at.fields.get(name);
      boolean last = level == names.length - 1;
      if (known != null && known.fields.isEmpty()) {
        return;
      }
      if (known == null || last) {
        known = new FieldMask();
        at.fields.put(name, known);
      }
      at = known;
    }
  }

  /**
   * The wanted fields of a body.
   *
   * @throws ProblemException if a record does not have a wanted field
   */
  JsonNode apply(Object body, ObjectMapper mapper) {
    return apply(body, mapper, "");
  }

  private JsonNode apply(Object value, ObjectMapper mapper, String path) {
    if (fields.isEmpty()) {
      return mapper.valueToTree(value);
    }
    if (value instanceof Collection<?> elements) {
      ArrayNode selected = JsonNodeFactory.instance.arrayNode();
      elements.forEach(element -> selected.add(apply(element, mapper, path)));
      return selected;
    }
    Map<String, @Nullable Object> members = new TreeMap<>();
    if (value instanceof Map<?, ?> map) {
      map.forEach((name, member) -> members.put(String.valueOf(name), member));
    } else {
      requireFields(value, path);
      for (Member member : MEMBERS.get(value.getClass())) {
        if (fields.containsKey(member.name())) {
          members.put(member.name(), member.of(value));
        }
      }
    }
    ObjectNode selected = JsonNodeFactory.instance.objectNode();
    fields.forEach(
        (name, mask) -> {
          Object member = members.get(name);
          if (member != null) {
            selected.set(name, mask.apply(member, mapper, path + name + "."));
          }
        });
    return selected;
  }

  private void requireFields(Object value, String path) {
    TreeSet<String> known = new TreeSet<>();
    MEMBERS.get(value.getClass()).forEach(member -> known.add(member.name()));
    for (String name : fields.keySet()) {
      if (!known.contains(name)) {
        throw ProblemException.badRequest(
            "%s is not a field of the answer; %s"
                .formatted(
                    Parameters.shown(path + name),
                    known.isEmpty()
                        ? Parameters.shown(path.replaceFirst("\\.$", "")) + " has no fields"
                        : "allowed there: " + String.join(", ", known)));
      }
    }
  }
}
