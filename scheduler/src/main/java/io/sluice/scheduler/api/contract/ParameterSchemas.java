// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.contract;

import io.sluice.scheduler.api.Parameters;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationValue;
import org.jboss.jandex.MethodParameterInfo;
import org.jspecify.annotations.Nullable;

/**
 * Describes parameters: the allowed values by their annotations, which the server itself evaluates,
 * and the meaning by {@code parameters.properties}. A key there is the name of a parameter, or
 * {@code OPERATION.NAME} where one operation differs.
 */
final class ParameterSchemas {
  private static final String FILE = "parameters.properties";

  private static final String REFERENCE = "#/components/schemas/";

  private final Map<String, Schema> components;
  private final Properties texts = new Properties();
  private final Set<String> used = new HashSet<>();

  /**
   * Reads the texts.
   *
   * @param components schemas that the parameters refer to, by name
   */
  ParameterSchemas(Map<String, Schema> components) {
    this.components = components;
    try (InputStream in = ParameterSchemas.class.getResourceAsStream(FILE);
        Reader reader =
            new InputStreamReader(Objects.requireNonNull(in, FILE), StandardCharsets.UTF_8)) {
      texts.load(reader);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Completes a parameter that the scan of the endpoint found. */
  void complete(String operation, Parameter parameter, Endpoint endpoint) {
    parameter.setDescription(description(operation, parameter.getName()));
    parameter.setSchema(inline(parameter.getSchema()));
    endpoint.parameter(parameter.getName()).ifPresent(read -> bound(parameter.getSchema(), read));
  }

  /**
   * Copies the schema of a Java class into the parameter. Users do not know the class, and some
   * generators of clients refuse a reference that has a default value beside it.
   */
  private Schema inline(Schema schema) {
    List<Schema> parts = schema.getAllOf() == null ? List.of(schema) : schema.getAllOf();
    String type =
        parts.stream()
            .map(Schema::getRef)
            .filter(ref -> ref != null && isClass(ref))
            .findFirst()
            .orElse(null);
    if (type == null) {
      return schema;
    }
    Schema referred = Objects.requireNonNull(components.get(type.replace(REFERENCE, "")), type);
    Schema own = OASFactory.createSchema().type(referred.getType()).pattern(referred.getPattern());
    for (Schema part : parts) {
      if (part.getDefaultValue() != null) {
        own.setDefaultValue(part.getDefaultValue());
      }
    }
    return own;
  }

  /** Whether a schema has the full name of a Java class, as those that the configuration gives. */
  static boolean isClass(String schema) {
    return schema.contains(".");
  }

  private static void bound(Schema schema, MethodParameterInfo read) {
    AnnotationInstance whole = read.declaredAnnotation(Parameters.Whole.class);
    if (whole != null) {
      schema.setMinimum(BigDecimal.valueOf(whole.value("min").asInt()));
      AnnotationValue most = whole.value("max");
      if (most != null) {
        schema.setMaximum(BigDecimal.valueOf(most.asInt()));
      }
    }
    AnnotationInstance words = read.declaredAnnotation(Parameters.OneOf.class);
    if (words != null) {
      schema.setEnumeration(List.<Object>of((Object[]) words.value().asStringArray()));
    }
    if (schema.getPattern() != null && schema.getPattern().matches("[a-z0-9]+(\\|[a-z0-9]+)+")) {
      schema.setEnumeration(List.<Object>of((Object[]) schema.getPattern().split("\\|")));
      schema.setPattern(null);
    }
  }

  /** A parameter of text that the server reads by other means than a Java parameter. */
  Parameter text(String operation, String name, Parameter.In in) {
    return OASFactory.createParameter()
        .name(name)
        .in(in)
        .description(description(operation, name))
        .schema(OASFactory.createSchema().addType(Schema.SchemaType.STRING));
  }

  private String description(String operation, String name) {
    for (String key : List.of(operation + "." + name, name)) {
      @Nullable String text = texts.getProperty(key);
      if (text != null) {
        used.add(key);
        return text;
      }
    }
    throw new IllegalStateException(
        "%s has no text for parameter %s of operation %s".formatted(FILE, name, operation));
  }

  /** Refuses texts of parameters that no operation has. */
  void requireAllUsed() {
    Set<String> unused = new TreeSet<>(texts.stringPropertyNames());
    unused.removeAll(used);
    if (!unused.isEmpty()) {
      throw new IllegalStateException("%s has texts for no parameter: %s".formatted(FILE, unused));
    }
  }
}
