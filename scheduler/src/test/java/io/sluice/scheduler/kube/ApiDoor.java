// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.kube;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;

/**
 * A client of an API server, as the user that a kubeconfig names.
 *
 * @param token bearer token of the user; empty: the user has a certificate
 */
record ApiDoor(String context, String host, int port, SSLContext identity, String token) {
  private static final int AT_A_TIME = 32;

  static ApiDoor of(Path kubeconfig) throws IOException {
    Config config = Config.fromKubeconfig(kubeconfig.toFile());
    URI server = URI.create(config.getMasterUrl());
    try {
      SSLContext identity = SSLContext.getInstance("TLS");
      identity.init(SSLUtils.keyManagers(config), SSLUtils.trustManagers(config), null);
      return new ApiDoor(
          config.getCurrentContext().getName(),
          server.getHost(),
          server.getPort(),
          identity,
          config.getAutoOAuthToken() == null ? "" : config.getAutoOAuthToken());
    } catch (GeneralSecurityException unusable) {
      throw new IOException("kubeconfig " + kubeconfig, unusable);
    }
  }

  /** Creates JSON objects, several at a time. */
  void create(String path, List<String> objects) throws IOException, InterruptedException {
    HttpClient client = HttpClient.newBuilder().sslContext(identity).build();
    URI uri = URI.create("https://" + host + ":" + port + path);
    Semaphore atATime = new Semaphore(AT_A_TIME);
    AtomicInteger created = new AtomicInteger();
    for (String object : objects) {
      atATime.acquire();
      HttpRequest request =
          HttpRequest.newBuilder(uri)
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofString(object))
              .build();
      var unused =
          client
              .sendAsync(request, HttpResponse.BodyHandlers.ofString())
              .whenComplete(
                  (answer, failure) -> {
                    created.addAndGet(failure == null && answer.statusCode() == 201 ? 1 : 0);
                    atATime.release();
                  });
    }
    atATime.acquire(AT_A_TIME);
    if (created.get() != objects.size()) {
      throw new IOException("only " + created.get() + " of " + objects.size() + " were created");
    }
  }

  Socket connect() throws IOException {
    return identity.getSocketFactory().createSocket(host, port);
  }
}
