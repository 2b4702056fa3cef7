// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.contract;

import io.sluice.scheduler.api.FromView;
import io.sluice.scheduler.api.sharing.Shared;
import jakarta.annotation.security.PermitAll;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationTarget;
import org.jboss.jandex.AnnotationValue;
import org.jboss.jandex.DotName;
import org.jboss.jandex.IndexView;
import org.jboss.jandex.MethodInfo;
import org.jboss.jandex.MethodParameterInfo;
import org.jboss.jandex.Type;
import org.jspecify.annotations.Nullable;

/** A method that answers requests, as its annotations describe it. */
record Endpoint(MethodInfo method) {
  private static final List<DotName> PARAMETERS =
      List.of(
          DotName.createSimple(QueryParam.class),
          DotName.createSimple(PathParam.class),
          DotName.createSimple(HeaderParam.class));
  private static final DotName HEADERS = DotName.createSimple(HttpHeaders.class);

  /** The endpoints of an index by the {@code operationId} of their annotation. */
  static Map<String, Endpoint> byOperation(IndexView index) {
    Map<String, Endpoint> found = new HashMap<>();
    for (AnnotationInstance operation : index.getAnnotations(Operation.class)) {
      AnnotationValue id = operation.value("operationId");
      if (id != null && operation.target().kind() == AnnotationTarget.Kind.METHOD) {
        Endpoint endpoint = new Endpoint(operation.target().asMethod());
        Endpoint other = found.put(id.asString(), endpoint);
        // An index that is made of several may name a method twice.
        if (other != null && !other.method().toString().equals(endpoint.method().toString())) {
          throw new IllegalStateException("two operations have the id " + id.asString());
        }
      }
    }
    return found;
  }

  /** The lowest role that the endpoint requires; empty if it is open to all. */
  Optional<String> role() {
    if (annotation(PermitAll.class) != null) {
      return Optional.empty();
    }
    AnnotationInstance roles = annotation(RolesAllowed.class);
    if (roles == null) {
      throw new IllegalStateException(method + " names no role");
    }
    return Optional.of(roles.value().asStringArray()[0]);
  }

  /** That of the method, or else that of its class. */
  private @Nullable AnnotationInstance annotation(Class<?> type) {
    DotName name = DotName.createSimple(type);
    AnnotationInstance own = method.declaredAnnotation(name);
    return own == null ? method.declaringClass().declaredAnnotation(name) : own;
  }

  /** The Java parameter that reads a parameter of the request. */
  Optional<MethodParameterInfo> parameter(String name) {
    return method.parameters().stream()
        .filter(
            parameter ->
                PARAMETERS.stream()
                    .map(parameter::declaredAnnotation)
                    .anyMatch(read -> read != null && read.value().asString().equals(name)))
        .findFirst();
  }

  /** Whether a header of that name is a parameter. */
  boolean readsHeader(String name) {
    return parameter(name).isPresent();
  }

  /** Whether the answer depends on a condition of the request, as {@code If-Match}. */
  boolean conditional() {
    return method.parameterTypes().stream().anyMatch(type -> type.name().equals(HEADERS));
  }

  boolean readsBody() {
    return method.parameterTypes().stream().anyMatch(type -> type.kind() == Type.Kind.ARRAY);
  }

  /** Whether the body is a manifest, and not a request that a record describes. */
  boolean readsManifest() {
    return readsBody() && !method.hasDeclaredAnnotation(RequestBody.class);
  }

  /** Whether the answer is of the server's view, which has a sequence. */
  boolean fromView() {
    return method.hasDeclaredAnnotation(FromView.class);
  }

  /** Whether callers who may read the same may get the same answer. */
  boolean shared() {
    return method.hasDeclaredAnnotation(Shared.class);
  }
}
