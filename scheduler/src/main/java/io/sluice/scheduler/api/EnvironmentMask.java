// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the values of environment variables in manifests. A variable is an entry of an object
 * {@code env}, or the {@code value} of an entry of a list {@code env}, wherever in the manifest
 * that is. The copy of a manifest that kubectl keeps in an annotation is replaced as a whole.
 */
public final class EnvironmentMask {
  /** Stands for a value. */
  public static final String MASKED = "***";

  private static final String ENVIRONMENT = "env";
  private static final String VALUE = "value";
  private static final String COPY_OF_KUBECTL = "kubectl.kubernetes.io/last-applied-configuration";

  private EnvironmentMask() {}

  /** A copy of the fields of a manifest, with masked values. */
  public static Map<String, Object> of(Map<String, Object> manifest) {
    Map<String, Object> masked = new LinkedHashMap<>();
    manifest.forEach((name, field) -> masked.put(name, field(name, field)));
    return masked;
  }

  private static @Nullable Object field(String name, @Nullable Object field) {
    if (name.equals(COPY_OF_KUBECTL)) {
      return MASKED;
    }
    return name.equals(ENVIRONMENT) ? variables(field) : value(field);
  }

  private static @Nullable Object value(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> masked = new LinkedHashMap<>();
      map.forEach((name, field) -> masked.put(String.valueOf(name), field(name.toString(), field)));
      return masked;
    }
    if (value instanceof List<?> list) {
      List<@Nullable Object> masked = new ArrayList<>();
      list.forEach(entry -> masked.add(value(entry)));
      return masked;
    }
    return value;
  }

  private static @Nullable Object variables(@Nullable Object variables) {
    if (variables instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> masked = new LinkedHashMap<>();
      map.forEach((name, value) -> masked.put(String.valueOf(name), MASKED));
      return masked;
    }
    if (variables instanceof List<?> list) {
      List<@Nullable Object> masked = new ArrayList<>();
      list.forEach(entry -> masked.add(variable(entry)));
      return masked;
    }
    return variables;
  }

  /** References to other objects stay: they name a value and do not tell it. */
  private static @Nullable Object variable(@Nullable Object variable) {
    if (!(variable instanceof Map<?, ?> map)) {
      return MASKED;
    }
    Map<String, @Nullable Object> masked = new LinkedHashMap<>();
    map.forEach(
        (name, field) -> masked.put(String.valueOf(name), VALUE.equals(name) ? MASKED : field));
    return masked;
  }
}
