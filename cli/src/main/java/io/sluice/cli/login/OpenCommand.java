// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.login;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.client.UnexpectedAnswerException;
import io.sluice.cli.identity.SignInFolder;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.options.WrongUsageException;
import io.sluice.cli.output.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice open}: opens the console in the user's browser, signed in. */
@Command(
    name = "open",
    description = {
      "Opens the console in your browser, signed in as you are here. The address contains a",
      "code that is valid once, for a minute; the browser does not learn your token."
    },
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
public final class OpenCommand implements Callable<Integer> {
  private static final String PATH = "/session/code";
  private static final Pattern PAGE = Pattern.compile("/[A-Za-z0-9_.~/=&?-]*");
  private static final Pattern CODE = Pattern.compile("[A-Za-z0-9_-]{43}");
  private static final int BROWSER_SECONDS = 5;

  @Mixin ServerOptions server;

  @Parameters(
      paramLabel = "PAGE",
      arity = "0..1",
      defaultValue = "/",
      description = "Page to open, such as /jobs or /queues?queue=vision. Default: the first page.")
  String page;

  @Option(
      names = "--print",
      description = "Print the address, and open no browser: for a browser on another machine.")
  boolean print;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!PAGE.matcher(page).matches() || page.startsWith("//")) {
      throw new WrongUsageException("PAGE is a path of the console, such as /jobs: " + page);
    }
    ServerClient client = server.client();
    JsonNode answer = client.post(PATH);
    String code = answer.path("code").asText();
    if (!CODE.matcher(code).matches()) {
      throw new UnexpectedAnswerException(PATH, "code", "it is no sign-in code");
    }
    String address = client.server().resolve(page) + "#code=" + code;
    Terminal terminal = Terminal.standard();
    if (print) {
      terminal.print(address);
      return 0;
    }
    // Every user of this machine can read the arguments of a program, so it gets the name of a
    // file.
    Path file = SignInFolder.ofUser(System.getenv()).writePage(redirect(address));
    if (!start(List.of(opener(), file.toUri().toString()))) {
      throw new ClientException(
          "no browser could be started with %s: ./sluice open --print shows the address"
              .formatted(opener()));
    }
    terminal.print("opened " + client.server().resolve(page));
    return 0;
  }

  private static String redirect(String address) {
    return """
        <!doctype html>
        <meta charset="utf-8">
        <title>Sluice</title>
        <meta http-equiv="refresh" content="0; url=%s">
        """
        .formatted(address.replace("&", "&amp;"));
  }

  /** Returns the program that opens a file as the desktop does. */
  private static String opener() {
    String chosen = System.getenv("BROWSER");
    if (chosen != null && !chosen.isBlank()) {
      return chosen;
    }
    String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    return system.contains("mac") ? "open" : "xdg-open";
  }

  /**
   * Starts a program; false: there is none, or it failed at once. One that goes on is a browser.
   */
  private static boolean start(List<String> command) throws InterruptedException {
    try {
      Process program =
          new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      return !program.waitFor(BROWSER_SECONDS, TimeUnit.SECONDS) || program.exitValue() == 0;
    } catch (IOException missing) {
      return false;
    }
  }
}
