// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.takeover;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.scheduler.kube.Signals;
import io.sluice.scheduler.process.ServerClasses;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A packaged server in a process of its own, on a given database. */
final class PackagedServer implements AutoCloseable {
  /** Generous: reached only if something hangs. */
  static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Longer than a server waits for a sequence. */
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);

  private static final ObjectMapper JSON = new ObjectMapper();

  /** The callers' token, whose digest is in the servers' file of tokens. */
  static final String TOKEN = "the-same-token-at-both-servers";

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Process process;
  private final Path printed;
  private String url = "";

  /** An answer of a server. */
  record Answer(int status, String text, String sequence) {
    JsonNode json() {
      try {
        return JSON.readTree(text);
      } catch (IOException failure) {
        throw new AssertionError("no JSON: " + text, failure);
      }
    }
  }

  /** Starts the process; {@link #awaitReady} waits until it is ready. */
  PackagedServer(Path directory, String name, String database, Path fleet) throws IOException {
    Path tokens = directory.resolve("tokens");
    Files.writeString(tokens, "client admin * - sha256:" + digest() + "\n");
    this.printed = directory.resolve(name + ".out");
    List<String> command = new ArrayList<>();
    command.add(ServerClasses.java());
    command.addAll(ServerClasses.options());
    command.addAll(List.of("-jar", ServerClasses.JAR.toAbsolutePath().toString(), "--port", "0"));
    command.addAll(List.of("--data", directory.resolve(name).toString()));
    command.addAll(List.of("--fleet", fleet.toString(), "--tokens", tokens.toString()));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(printed.toFile()));
    builder.environment().put("SLUICE_DATABASE", database);
    this.process = builder.start();
  }

  private static String digest() {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(TOKEN.getBytes(StandardCharsets.US_ASCII));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException missing) {
      throw new AssertionError(missing);
    }
  }

  PackagedServer awaitReady() throws Exception {
    String ready = "Sluice is ready on ";
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!printed().contains(ready)) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        throw new AssertionError("the server did not start: " + printed());
      }
      Thread.sleep(50);
    }
    String rest = printed().substring(printed().indexOf(ready) + ready.length());
    url = rest.substring(0, rest.indexOf(','));
    return this;
  }

  String url() {
    return url;
  }

  String printed() throws IOException {
    return Files.readString(printed);
  }

  Answer get(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(URI.create(url + path)).GET());
  }

  Answer getAfter(String sequence, String path) throws IOException, InterruptedException {
    return send(
        HttpRequest.newBuilder(URI.create(url + path)).header("Sluice-Wait-For", sequence).GET());
  }

  Answer post(String path, String body, String key) throws IOException, InterruptedException {
    return send(
        HttpRequest.newBuilder(URI.create(url + path))
            .header("Idempotency-Key", key)
            .POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  private Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        client.send(
            request.header("Authorization", "Bearer " + TOKEN).timeout(ANSWER_LIMIT).build(),
            HttpResponse.BodyHandlers.ofString());
    return new Answer(
        answer.statusCode(),
        answer.body(),
        answer.headers().firstValue("Sluice-Sequence").orElse(""));
  }

  /** Returns its description of itself. */
  JsonNode self() throws IOException, InterruptedException {
    return get("/v1/server").json();
  }

  boolean leads() {
    try {
      return self().path("role").asText().equals("leader");
    } catch (IOException | InterruptedException notNow) {
      return false;
    }
  }

  /** Sends a signal, by its name without {@code SIG}. */
  void signal(String name) throws IOException {
    Signals.send(name, process.pid());
  }

  int exitCode() throws InterruptedException {
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("the server does not end");
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      exitCode();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
