// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;

/** An HTTP client of a server under test. */
public final class Caller {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final String url;
  private final String token;

  Caller(String url, String token) {
    this.url = url;
    this.token = token;
  }

  /** An answer. */
  public record Reply(int status, HttpResponse<String> response) {
    public String text() {
      return response.body();
    }

    /** Returns the body as JSON; missing if it is not JSON. */
    public JsonNode json() {
      try {
        return JSON.readTree(text());
      } catch (JsonProcessingException other) {
        return JSON.missingNode();
      }
    }

    public String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    public String at(String pointer) {
      return json().at(pointer).asText();
    }

    /** Returns the texts of a field of each element of a list. */
    public List<String> each(String list, String field) {
      return json().at(list).findValuesAsText(field);
    }

    /** Checks the status and returns this answer. */
    public Reply is(int expected) {
      if (status != expected) {
        throw new AssertionError("%d, not %d: %s".formatted(status, expected, text()));
      }
      return this;
    }
  }

  /** Returns a client with another token; empty: without a token. */
  public Caller as(String otherToken) {
    return new Caller(url, otherToken);
  }

  public String url() {
    return url;
  }

  /**
   * Sends a request.
   *
   * @param headers names and values, alternating
   */
  public Reply ask(String method, String path, BodyPublisher body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path)).method(method, body);
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    if (headers.length > 0) {
      request.headers(headers);
    }
    HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
    return new Reply(response.statusCode(), response);
  }

  public Reply get(String path, String... headers) throws IOException, InterruptedException {
    return ask("GET", path, BodyPublishers.noBody(), headers);
  }

  public Reply post(String path, String body, String... headers)
      throws IOException, InterruptedException {
    return ask("POST", path, BodyPublishers.ofString(body), headers);
  }

  public Reply put(String path, String body, String... headers)
      throws IOException, InterruptedException {
    return ask("PUT", path, BodyPublishers.ofString(body), headers);
  }

  public Reply delete(String path, String... headers) throws IOException, InterruptedException {
    return ask("DELETE", path, BodyPublishers.noBody(), headers);
  }

  /** Submits a valid job; returns its id. */
  public String submit(String manifest) throws IOException, InterruptedException {
    return post("/v1/jobs", manifest).is(201).at("/id");
  }

  /** Repeats a request until the answer is as expected. */
  public Reply await(String path, Predicate<Reply> expected)
      throws IOException, InterruptedException {
    Instant deadline = Instant.now().plus(StartedServer.PATIENCE);
    Reply reply = get(path);
    while (!expected.test(reply)) {
      if (Instant.now().isAfter(deadline)) {
        // Omit a job's manifest, which may be long and does not explain the failure.
        JsonNode status = reply.json().path("status");
        throw new AssertionError(path + " stays " + (status.isObject() ? status : reply.text()));
      }
      Thread.sleep(Duration.ofMillis(50).toMillis());
      reply = get(path);
    }
    return reply;
  }

  /** Waits until a job is in a state. */
  public Reply awaitState(String id, String state) throws IOException, InterruptedException {
    return await("/v1/jobs/" + id, reply -> reply.at("/status/state").equals(state));
  }

  /** Cancels live jobs, and waits until all of them have ended. */
  public void cancel(String... ids) throws IOException, InterruptedException {
    for (String id : ids) {
      post("/v1/jobs/" + id + "/cancel", "").is(202);
    }
    for (String id : ids) {
      awaitState(id, "CANCELLED");
    }
  }

  /** Cancels every live job of the first page, without waiting for their ends. */
  public void cancelAll() throws IOException, InterruptedException {
    for (String id : get("/v1/jobs").each("/items", "id")) {
      post("/v1/jobs/" + id + "/cancel", "");
    }
  }
}
