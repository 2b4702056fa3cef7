// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import io.sluice.queuemodel.job.JobId;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.ext.ParamConverter;
import jakarta.ws.rs.ext.ParamConverterProvider;
import jakarta.ws.rs.ext.Provider;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Converts path and query parameters to the types that the methods of endpoints declare. The type
 * and the annotations of a parameter define the allowed values; without them the server does not
 * start. JAX-RS wraps a converter's exception in its own, which {@link Problems} unwraps.
 */
@Provider
class ParameterConverters implements ParamConverterProvider {
  /** A converter by a function; parameters are only read, never written. */
  private record Reading<T>(Class<T> type, Function<String, ?> read) implements ParamConverter<T> {
    @Override
    @SuppressWarnings("unchecked") // The converter returns the boxed type.
    public T fromString(String text) {
      return (T) read.apply(text);
    }

    @Override
    public String toString(T value) {
      return String.valueOf(value);
    }
  }

  @Override
  public <T> @Nullable ParamConverter<T> getConverter(
      Class<T> type, Type generic, Annotation[] annotations) {
    QueryParam query = find(QueryParam.class, annotations);
    PathParam path = find(PathParam.class, annotations);
    Function<String, ?> read = null;
    if (query != null) {
      read = of(type, query.value(), true, annotations);
    } else if (path != null) {
      read = of(type, path.value(), false, annotations);
    }
    return read == null ? null : new Reading<>(type, read);
  }

  private static @Nullable Function<String, ?> of(
      Class<?> type, String name, boolean query, Annotation[] annotations) {
    return type == String.class ? text(name, query, annotations) : typed(type, name, annotations);
  }

  private static @Nullable Function<String, ?> typed(
      Class<?> type, String name, Annotation[] annotations) {
    Parameters.Whole whole = find(Parameters.Whole.class, annotations);
    if (whole != null) {
      return text -> Parameters.whole(name, text, whole.min(), whole.max());
    }
    if (type == boolean.class || type == Boolean.class) {
      return text -> Parameters.flag(name, text);
    }
    if (type == Duration.class) {
      return text -> Parameters.duration(name, text);
    }
    if (type == JobId.class) {
      return Parameters::jobId;
    }
    Parameters.IdOf of = find(Parameters.IdOf.class, annotations);
    if (type == UUID.class && of != null) {
      return text -> Parameters.id(name, of.value(), text);
    }
    if (type == List.class) {
      return null; // its elements are text
    }
    throw new IllegalStateException(
        "nothing says what parameter %s of type %s allows".formatted(name, type.getSimpleName()));
  }

  /** Path text is not checked for NUL here: its endpoint answers that there is no such object. */
  private static @Nullable Function<String, ?> text(
      String name, boolean query, Annotation[] annotations) {
    Parameters.OneOf words = find(Parameters.OneOf.class, annotations);
    if (words != null) {
      return text -> Parameters.choice(name, text, words.value());
    }
    if (find(Parameters.ObjectName.class, annotations) != null) {
      return text -> Parameters.name(name, text);
    }
    return query ? text -> Parameters.text(name, text) : null;
  }

  private static <A extends Annotation> @Nullable A find(Class<A> type, Annotation[] annotations) {
    for (Annotation annotation : annotations) {
      if (type.isInstance(annotation)) {
        return type.cast(annotation);
      }
    }
    return null;
  }
}
