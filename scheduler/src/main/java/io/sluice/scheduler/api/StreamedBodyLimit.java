// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import jakarta.ws.rs.ext.Provider;
import jakarta.ws.rs.ext.ReaderInterceptor;
import jakarta.ws.rs.ext.ReaderInterceptorContext;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Refuses bodies of HTTP/2 of unknown length while they are read. {@link BodyLimit} cannot collect
 * them: Quarkus expects a request that has not ended.
 */
@Provider
public class StreamedBodyLimit implements ReaderInterceptor {
  @Override
  public Object aroundReadFrom(ReaderInterceptorContext context) throws IOException {
    context.setInputStream(new Counted(context.getInputStream()));
    return context.proceed();
  }

  private static final class Counted extends FilterInputStream {
    private long bytes;

    Counted(InputStream body) {
      super(body);
    }

    @Override
    public int read() throws IOException {
      int read = super.read();
      if (read >= 0) {
        count(1);
      }
      return read;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int read = super.read(into, offset, length);
      if (read > 0) {
        count(read);
      }
      return read;
    }

    private void count(int read) {
      bytes += read;
      if (bytes > BodyLimit.BYTES_MAX) {
        throw new ProblemException(
            ProblemKind.BODY_TOO_LARGE,
            "the body has over %d bytes, which are taken at most".formatted(BodyLimit.BYTES_MAX));
      }
    }
  }
}
