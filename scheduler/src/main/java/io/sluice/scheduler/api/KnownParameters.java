// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/**
 * Refuses query parameters and bodies that an endpoint does not read. The parameters of the
 * endpoint's method declare what it reads, so that no endpoint can forget to.
 */
class KnownParameters {
  private static final List<Class<? extends Annotation>> OF_NO_BODY =
      List.of(QueryParam.class, PathParam.class, HeaderParam.class, Context.class);

  /** By method; bounded by the number of endpoints. */
  private final Map<Method, Read> endpoints = new ConcurrentHashMap<>();

  /**
   * The query parameters and the body that an endpoint reads.
   *
   * @param once by name of a query parameter: whether it may occur only once
   */
  private record Read(Map<String, Boolean> once, boolean body) {
    static Read of(Method method) {
      Map<String, Boolean> once = new TreeMap<>();
      boolean body = false;
      if (FieldSelection.of(method)) {
        once.put(FieldSelection.PARAMETER, true);
      }
      for (Parameter parameter : method.getParameters()) {
        QueryParam query = parameter.getAnnotation(QueryParam.class);
        if (query != null) {
          once.put(query.value(), parameter.getType() != List.class);
        }
        body |= OF_NO_BODY.stream().noneMatch(parameter::isAnnotationPresent);
      }
      return new Read(once, body);
    }
  }

  @ServerRequestFilter
  Optional<Response> check(ResourceInfo endpoint, ContainerRequestContext request) {
    Read read = endpoints.computeIfAbsent(endpoint.getResourceMethod(), Read::of);
    String what =
        request.getMethod() + " /" + request.getUriInfo().getPath().replaceFirst("^/", "");
    Map<String, List<String>> given = request.getUriInfo().getQueryParameters();
    for (String name : new TreeSet<>(given.keySet())) {
      int times = given.getOrDefault(name, List.of()).size();
      Boolean once = read.once().get(name);
      if (once == null) {
        return refuse(
            ProblemKind.UNKNOWN_PARAMETER,
            "%s is not a parameter of %s; %s"
                .formatted(
                    Parameters.shown(name),
                    Parameters.shown(what),
                    read.once().isEmpty()
                        ? "it has none"
                        : "allowed: " + String.join(", ", read.once().keySet())));
      }
      if (once && times > 1) {
        return refuse(
            ProblemKind.BAD_REQUEST,
            "%s is given %d times, and %s takes it once"
                .formatted(name, times, Parameters.shown(what)));
      }
    }
    if (!read.body() && hasBody(request)) {
      return refuse(
          ProblemKind.UNEXPECTED_BODY,
          "%s takes no body%s"
              .formatted(
                  Parameters.shown(what),
                  read.once().isEmpty()
                      ? ""
                      : ": it takes the query parameters "
                          + String.join(", ", read.once().keySet())));
    }
    return Optional.empty();
  }

  private static boolean hasBody(ContainerRequestContext request) {
    String announced = request.getHeaderString(HttpHeaders.CONTENT_LENGTH);
    return request.getHeaderString("Transfer-Encoding") != null
        || (announced != null && !Arrays.asList("", "0").contains(announced.strip()));
  }

  private static Optional<Response> refuse(ProblemKind kind, String detail) {
    return Optional.of(ProblemAnswers.of(kind, detail));
  }
}
