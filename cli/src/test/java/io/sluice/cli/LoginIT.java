// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The sign-in on the command line, at a server with an identity provider. */
class LoginIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static Path directory;
  private static DeviceProvider provider;
  private static Process server;
  private static String url;

  @BeforeAll
  static void start() throws Exception {
    directory = Files.createTempDirectory("sluice-login-it");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
    provider = DeviceProvider.start();
    Path data = directory.resolve("data");
    server =
        Checkout.process(
                "./sluice",
                "up",
                "--port",
                "0",
                "--data",
                data.toString(),
                "--oidc-issuer",
                provider.issuer(),
                "--oidc-client-id",
                DeviceProvider.CLIENT)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("server.out").toFile())
            .start();
    Path announced = data.resolve("server.json");
    await(() -> Files.exists(announced));
    url = new ObjectMapper().readTree(announced.toFile()).path("url").asText();
  }

  @AfterAll
  static void end() throws Exception {
    server.destroy();
    server.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    provider.close();
    Checkout.delete(directory);
  }

  @BeforeEach
  void nobodyHasConfirmed() throws Exception {
    provider.answer("authorization_pending");
    provider.tokensAreValidFor(Duration.ofMinutes(10));
    run("logout");
  }

  private static void await(Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.call()) {
      assertThat(System.nanoTime()).as("it does not happen").isLessThan(deadline);
      Thread.sleep(50);
    }
  }

  private record Command(Process process, Path out) {
    String text() throws IOException {
      return Files.readString(out, StandardCharsets.UTF_8);
    }

    String ends(int code) throws Exception {
      assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as(text()).isEqualTo(code);
      return text();
    }
  }

  private static Command begin(String... arguments) throws IOException {
    return begin(Map.of(), arguments);
  }

  private static Command begin(Map<String, String> environment, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of("./sluice"));
    command.addAll(List.of(arguments));
    command.addAll(List.of("--server", url));
    ProcessBuilder builder = Checkout.process(command.toArray(String[]::new));
    builder.environment().put("XDG_CONFIG_HOME", directory.resolve("config").toString());
    builder.environment().remove("SLUICE_DATA");
    builder.environment().remove("SLUICE_TOKEN");
    builder.environment().putAll(environment);
    Path out = Files.createTempFile(directory, "out", "");
    return new Command(builder.redirectErrorStream(true).redirectOutput(out.toFile()).start(), out);
  }

  private static Command run(String... arguments) throws Exception {
    Command command = begin(arguments);
    assertThat(command.process().waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return command;
  }

  private static void signIn() throws Exception {
    Command login = begin("login");
    await(() -> login.text().contains("WDJB-MJHT") || !login.process().isAlive());
    assertThat(login.text()).contains(provider.issuer() + "/confirm");
    provider.confirm();
    assertThat(login.ends(0)).contains("signed in at " + url + " as ann@example.org");
  }

  private static Path saved() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("config/sluice/sign-in"))) {
      return files.filter(file -> file.toString().endsWith(".json")).findFirst().orElseThrow();
    }
  }

  @Test
  void aUserSignsInAndOut() throws Exception {
    run("whoami").ends(4);
    signIn();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(saved())))
        .isEqualTo("rw-------");
    assertThat(run("whoami").ends(0)).contains("ann@example.org", "research", "identity-provider");
    assertThat(run("whoami", "-o", "json").ends(0)).contains("\"name\"");
    assertThat(run("session", "list").ends(0)).contains("nothing found");
    assertThat(run("logout").ends(0)).contains("signed out");
    run("whoami").ends(4);
  }

  @Test
  void aTokenIsRefreshedOnceByCommandsAtTheSameTime() throws Exception {
    provider.tokensAreValidFor(Duration.ofSeconds(20)); // shorter than what is refreshed early
    signIn();
    int before = provider.refreshes();
    provider.tokensAreValidFor(Duration.ofMinutes(10));
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      commands.add(begin("whoami"));
    }
    for (Command command : commands) {
      assertThat(command.ends(0)).contains("ann@example.org");
    }
    assertThat(provider.refreshes()).isEqualTo(before + 1);
  }

  @Test
  void aRefusalIsTold() throws Exception {
    provider.answer("access_denied");
    assertThat(begin("login").ends(1)).contains("access_denied");
    run("whoami").ends(4);
  }

  @Test
  void aDamagedFileIsTold() throws Exception {
    signIn();
    Files.writeString(saved(), "{");
    assertThat(run("whoami").ends(1)).contains("damaged", "./sluice login");
  }

  @Test
  void aBrowserIsOpenedSignedInWithoutItsArgumentsBeingASecret() throws Exception {
    signIn();
    Path opened = directory.resolve("opened");
    Path browser =
        Files.writeString(
            directory.resolve("browser"), "#!/bin/sh\nprintf '%s\\n' \"$@\" >" + opened + "\n");
    Files.setPosixFilePermissions(browser, PosixFilePermissions.fromString("rwx------"));
    Command open = begin(Map.of("BROWSER", browser.toString()), "open", "/jobs?state=PENDING");
    assertThat(open.ends(0)).isEqualTo("opened " + url + "/jobs?state=PENDING\n");
    Path page = Path.of(URI.create(Files.readString(opened).strip()));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(page)))
        .isEqualTo("rw-------");
    String prefix = url + "/jobs?state=PENDING#code=";
    String code = Files.readString(page).split(Pattern.quote(prefix), 2)[1].substring(0, 43);
    HttpResponse<String> exchanged =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(url + "/session/code"))
                    .header("Sluice-Sign-In-Code", code)
                    .PUT(HttpRequest.BodyPublishers.noBody())
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(exchanged.statusCode()).as(exchanged.body()).isEqualTo(201);
    String cookie = exchanged.headers().firstValue("Set-Cookie").orElseThrow();
    assertThat(cookie).startsWith("sluice=");
    HttpResponse<String> signedOut =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(url + "/session"))
                    .headers("Cookie", cookie.replaceFirst(";.*", ""), "Origin", url)
                    .DELETE()
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(signedOut.statusCode()).isEqualTo(204);

    assertThat(run("open", "--print").ends(0)).matches(Pattern.quote(url) + "/#code=\\S{43}\n");
    assertThat(begin(Map.of("BROWSER", "/nowhere"), "open").ends(1)).contains("--print");
    assertThat(begin("open", "//evil.example").ends(2)).contains("PAGE");
  }
}
