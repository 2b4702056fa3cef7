// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.watch;

import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.Provider;
import java.io.OutputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveResourceInfo;
import org.jboss.resteasy.reactive.server.spi.ServerMessageBodyWriter;
import org.jboss.resteasy.reactive.server.spi.ServerRequestContext;

/** Hands the answer over to a stream, which writes it without blocking. */
@Provider
@Produces(MediaType.SERVER_SENT_EVENTS)
class EventStreamWriter implements ServerMessageBodyWriter<EventStream> {
  @Override
  public boolean isWriteable(
      Class<?> type, Type genericType, ResteasyReactiveResourceInfo target, MediaType mediaType) {
    return type == EventStream.class;
  }

  @Override
  public boolean isWriteable(
      Class<?> type, Type genericType, Annotation[] annotations, MediaType mediaType) {
    return type == EventStream.class;
  }

  @Override
  public void writeResponse(EventStream stream, Type genericType, ServerRequestContext context) {
    ResteasyReactiveRequestContext request = (ResteasyReactiveRequestContext) context;
    request.suspend();
    stream.begin(request::resume);
  }

  @Override
  public void writeTo(
      EventStream stream,
      Class<?> type,
      Type genericType,
      Annotation[] annotations,
      MediaType mediaType,
      MultivaluedMap<String, Object> headers,
      OutputStream out) {
    throw new IllegalStateException("a stream of events is written without blocking");
  }
}
