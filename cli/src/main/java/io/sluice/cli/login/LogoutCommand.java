// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.login;

import io.sluice.cli.identity.SignInFolder;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.output.Terminal;
import java.net.URI;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sluice logout}: removes the tokens that {@link LoginCommand} keeps. */
@Command(
    name = "logout",
    description = "Removes the tokens of ./sluice login for the server.",
    footer = {"", "Sessions of browsers stay: see ./sluice session."},
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
public final class LogoutCommand implements Callable<Integer> {
  @Mixin ServerOptions server;

  @Override
  public Integer call() {
    URI url = server.address().url();
    boolean removed = SignInFolder.ofUser(System.getenv()).remove(url);
    Terminal.standard().print(removed ? "signed out of " + url : "there was no sign-in at " + url);
    return 0;
  }
}
