// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/** Reduces answers to the fields that the query parameter {@code fields} names. */
public class FieldSelection {
  static final String PARAMETER = "fields";
  private static final Annotation[] NO_ANNOTATIONS = {};

  private final ObjectMapper mapper;

  FieldSelection(ObjectMapper mapper) {
    this.mapper = mapper;
  }

  /** Whether an endpoint takes the parameter: it reads, and answers JSON. */
  static boolean of(Method endpoint) {
    Produces own = endpoint.getAnnotation(Produces.class);
    Produces produces =
        own == null ? endpoint.getDeclaringClass().getAnnotation(Produces.class) : own;
    return endpoint.isAnnotationPresent(GET.class)
        && produces != null
        && Arrays.asList(produces.value()).contains(MediaType.APPLICATION_JSON);
  }

  /** Whether the answer to a request has a field, for one that takes work to find. */
  public static boolean wants(UriInfo request, String field) {
    String text = request.getQueryParameters().getFirst(PARAMETER);
    return text == null || FieldMask.of(text).has(field);
  }

  /** Refuses a malformed parameter before the endpoint does its work. */
  @ServerRequestFilter
  public void read(ContainerRequestContext request) {
    String text = request.getUriInfo().getQueryParameters().getFirst(PARAMETER);
    if (text != null) {
      request.setProperty(PARAMETER, FieldMask.of(text));
    }
  }

  @ServerResponseFilter
  public void select(ContainerRequestContext request, ContainerResponseContext response) {
    if (response.getStatus() != Response.Status.OK.getStatusCode()
        || !(request.getProperty(PARAMETER) instanceof FieldMask mask)) {
      return;
    }
    try {
      response.setEntity(mask.apply(response.getEntity(), mapper));
    } catch (ProblemException refused) {
      Response problem = ProblemAnswers.of(refused.kind(), refused.detail());
      response.setStatus(problem.getStatus());
      response.getHeaders().clear();
      response.setEntity(problem.getEntity(), NO_ANNOTATIONS, problem.getMediaType());
    }
  }
}
