// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.client;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import org.jspecify.annotations.Nullable;

/**
 * Requires each component of a record that is neither nullable nor primitive, so that no reader of
 * a record meets a null that its type excludes. An absent primitive is 0 or false.
 */
final class RequiredComponents extends JacksonAnnotationIntrospector {
  private static final long serialVersionUID = 1L;

  @Override
  public Boolean hasRequiredMarker(AnnotatedMember member) {
    return isRequired(member) ? Boolean.TRUE : super.hasRequiredMarker(member);
  }

  @Override
  public JsonSetter.Value findSetterInfo(Annotated annotated) {
    return isRequired(annotated)
        ? JsonSetter.Value.forValueNulls(Nulls.FAIL)
        : super.findSetterInfo(annotated);
  }

  private static boolean isRequired(Annotated annotated) {
    return annotated instanceof AnnotatedParameter parameter
        && parameter.getDeclaringClass().isRecord()
        && !parameter.getRawType().isPrimitive()
        && !isNullable(parameter);
  }

  private static boolean isNullable(AnnotatedParameter parameter) {
    return parameter
        .getDeclaringClass()
        .getRecordComponents()[parameter.getIndex()]
        .getAnnotatedType()
        .isAnnotationPresent(Nullable.class);
  }
}
