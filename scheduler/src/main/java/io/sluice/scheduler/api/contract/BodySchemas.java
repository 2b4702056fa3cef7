// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;
import org.jboss.jandex.FieldInfo;
import org.jboss.jandex.IndexView;
import org.jboss.jandex.RecordComponentInfo;
import org.jspecify.annotations.Nullable;

/** Completes the schemas of bodies by the records that write and read them. */
final class BodySchemas {
  private static final String RECORDS = "io.sluice.restmodel.";
  private static final DotName NULLABLE = DotName.createSimple(Nullable.class);
  private static final DotName DESCRIPTION = DotName.createSimple(JsonPropertyDescription.class);
  private static final DotName PROPERTY = DotName.createSimple(JsonProperty.class);
  private static final DotName INCLUDE = DotName.createSimple(JsonInclude.class);

  /** By simple name. */
  private final Map<String, ClassInfo> records = new HashMap<>();

  BodySchemas(IndexView index) {
    for (ClassInfo type : index.getKnownClasses()) {
      if (type.isRecord() && type.name().toString().startsWith(RECORDS)) {
        ClassInfo other = records.put(type.simpleName(), type);
        // An index that is made of several may name a class twice.
        if (other != null && !other.name().equals(type.name())) {
          throw new IllegalStateException(
              "two bodies have the same schema name: %s and %s".formatted(other, type));
        }
      }
    }
  }

  void complete(Map<String, Schema> schemas) {
    schemas.forEach(
        (name, schema) -> {
          ClassInfo body = record(name);
          if (body != null) {
            complete(schema, body);
          }
        });
  }

  /** The record of a schema; of {@code PageRun} it is {@code Page}. */
  private @Nullable ClassInfo record(String schema) {
    ClassInfo exact = records.get(schema);
    if (exact != null) {
      return exact;
    }
    return records.values().stream()
        .filter(type -> !type.typeParameters().isEmpty() && schema.startsWith(type.simpleName()))
        .findFirst()
        .orElse(null);
  }

  private static void complete(Schema schema, ClassInfo body) {
    Map<String, Schema> properties = schema.getProperties();
    if (properties == null) {
      throw new IllegalStateException("the schema of " + body + " has no properties");
    }
    List<String> required = new ArrayList<>();
    for (RecordComponentInfo field : body.recordComponents()) {
      String name = name(body.field(field.name()));
      Schema property = properties.get(name);
      if (property == null) {
        throw new IllegalStateException("the schema of %s has no field %s".formatted(body, name));
      }
      boolean nullable = field.type().hasAnnotation(NULLABLE);
      boolean nullsAreLeftOut = nullsAreLeftOut(body, body.field(field.name()));
      if (!nullable || !nullsAreLeftOut) {
        required.add(name);
      }
      if (nullable && !nullsAreLeftOut) {
        allowNull(property);
      }
      AnnotationInstance description = body.field(field.name()).declaredAnnotation(DESCRIPTION);
      if (description == null) {
        throw new IllegalStateException("field %s of %s has no description".formatted(name, body));
      }
      property.setDescription(description.value().asString());
      allowAnyValue(property);
    }
    schema.setRequired(required);
  }

  /** The name in JSON. */
  private static String name(FieldInfo field) {
    AnnotationInstance property = field.declaredAnnotation(PROPERTY);
    return property == null ? field.name() : property.value().asString();
  }

  /** What the field says comes before what its record says. */
  private static boolean nullsAreLeftOut(ClassInfo body, FieldInfo field) {
    AnnotationInstance own = field.declaredAnnotation(INCLUDE);
    AnnotationInstance include = own == null ? body.declaredAnnotation(INCLUDE) : own;
    return include != null && include.value().asEnum().equals("NON_NULL");
  }

  /**
   * Writes {@code additionalProperties: true} where a map has values of any type. A generator of
   * clients takes the equivalent {@code {}} for optional values.
   */
  private static void allowAnyValue(Schema property) {
    Schema values = property.getAdditionalPropertiesSchema();
    if (values != null
        && values.getRef() == null
        && values.getType() == null
        && values.getAnyOf() == null) {
      property.setAdditionalPropertiesSchema(null);
      property.setAdditionalPropertiesSchema(OASFactory.createSchema().booleanSchema(true));
    }
    if (property.getItems() != null) {
      allowAnyValue(property.getItems());
    }
  }

  private static void allowNull(Schema property) {
    String ref = property.getRef();
    if (ref == null) {
      property.addType(Schema.SchemaType.NULL);
      return;
    }
    property.setRef(null);
    property.addAnyOf(OASFactory.createSchema().ref(ref));
    property.addAnyOf(OASFactory.createSchema().addType(Schema.SchemaType.NULL));
  }
}
