// SPDX-License-Identifier: Apache-2.0
package io.sluice.benchmarks;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** A live server on this machine, called with the token in {@code SLUICE_TOKEN}. */
final class MeasuredServer {
  static final int OK = 200;
  static final int CREATED = 201;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI uri;
  private final Duration answerLimit;

  /**
   * A server with a client of its own.
   *
   * @param answerLimit longest wait for an answer
   */
  MeasuredServer(URI uri, Duration answerLimit) {
    this.uri = uri;
    this.answerLimit = answerLimit;
  }

  /** Returns the manifest of the job that loads submit, in JSON. */
  static String job(String namespace, String queue) {
    return """
    {"apiVersion":"sluice.io/v1","kind":"Job",
     "metadata":{"name":"load","namespace":"%s"},
     "spec":{"queue":"%s","command":["true"],"requests":{"cpu":"1"}}}
    """
        .formatted(namespace, queue);
  }

  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(uri.resolve(path))
        .timeout(answerLimit)
        .header("Authorization", "Bearer " + System.getenv("SLUICE_TOKEN"));
  }

  String get(String path) throws IOException, InterruptedException {
    return send(request(path), OK);
  }

  /** Returns the status of an answer, whose body is thrown away. */
  int status(String path) throws IOException, InterruptedException {
    return client.send(request(path).build(), BodyHandlers.discarding()).statusCode();
  }

  /** Sends a body that creates something. */
  String post(String path, String body) throws IOException, InterruptedException {
    return send(request(path).POST(BodyPublishers.ofString(body)), CREATED);
  }

  /**
   * Returns the body of an answer.
   *
   * @throws IOException if it has another status
   */
  String send(HttpRequest.Builder request, int wanted) throws IOException, InterruptedException {
    HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
    if (answer.statusCode() != wanted) {
      throw new IOException("status " + answer.statusCode() + ": " + answer.body());
    }
    return answer.body();
  }
}
