// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.fields;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of a record of an answer from its components and their annotations, with the
 * records inside it. No record of an answer contains itself.
 */
final class RecordFields {
  private static final Map<Class<?>, String> WORDS =
      Map.of(
          String.class, "text",
          boolean.class, "true or false",
          Boolean.class, "true or false",
          int.class, "whole number",
          Integer.class, "whole number",
          long.class, "whole number",
          Long.class, "whole number",
          BigDecimal.class, "number",
          Instant.class, "time",
          Object.class, "any JSON");

  private RecordFields() {}

  /** Returns the fields of the record with the name of a class. */
  static List<ExplainedField> of(String className) {
    try {
      return of(Class.forName(className));
    } catch (ClassNotFoundException missing) {
      throw new IllegalStateException("fields.tsv names a record that does not exist", missing);
    }
  }

  static List<ExplainedField> of(Class<?> type) {
    return components(type, null);
  }

  /**
   * Returns the fields of a record.
   *
   * @param argument the type in place of its type parameter; null: it has none
   */
  private static List<ExplainedField> components(Class<?> type, @Nullable Type argument) {
    List<ExplainedField> fields = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      // The annotations are not for components, so the compiler copies them to accessors only.
      Method accessor = component.getAccessor();
      JsonProperty renamed = accessor.getAnnotation(JsonProperty.class);
      JsonPropertyDescription description = accessor.getAnnotation(JsonPropertyDescription.class);
      Type given = component.getGenericType();
      fields.add(
          new ExplainedField(
              renamed == null ? component.getName() : renamed.value(),
              component.getType() == List.class,
              type(given, argument),
              "",
              description == null ? "" : description.value(),
              below(given, argument)));
    }
    return fields;
  }

  private static String type(Type given, @Nullable Type argument) {
    if (given instanceof TypeVariable<?>) {
      return type(Objects.requireNonNull(argument), null);
    }
    if (given instanceof ParameterizedType generic) {
      String entry = type(last(generic), argument);
      if (generic.getRawType() == List.class) {
        return "list of " + plural(entry);
      }
      return generic.getRawType() == Map.class ? "map of " + plural(entry) : "object";
    }
    return WORDS.getOrDefault(given, "object");
  }

  private static String plural(String type) {
    if (type.startsWith("list of ")) {
      return "lists" + type.substring("list".length());
    }
    if (type.startsWith("map of ")) {
      return "objects";
    }
    return type.equals("any JSON") || type.equals("true or false") ? type : type + "s";
  }

  /** Returns the fields of a record, or of the records in a list. */
  private static List<ExplainedField> below(Type given, @Nullable Type argument) {
    if (given instanceof TypeVariable<?>) {
      return below(Objects.requireNonNull(argument), null);
    }
    if (given instanceof ParameterizedType generic) {
      if (generic.getRawType() instanceof Class<?> raw && raw.isRecord()) {
        return components(raw, last(generic));
      }
      return generic.getRawType() == List.class ? below(last(generic), argument) : List.of();
    }
    return given instanceof Class<?> plain && plain.isRecord()
        ? components(plain, null)
        : List.of();
  }

  private static Type last(ParameterizedType generic) {
    Type[] arguments = generic.getActualTypeArguments();
    return arguments[arguments.length - 1];
  }
}
