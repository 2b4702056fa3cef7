// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.login;

import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.ServerAddress;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.identity.DeviceFlow;
import io.sluice.cli.identity.SavedSignIn;
import io.sluice.cli.identity.SignInFolder;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.output.Terminal;
import io.sluice.restmodel.access.CallerIdentity;
import io.sluice.restmodel.access.SignInProvider;
import java.net.URI;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sluice login}: signs the user in at the identity provider of the server. */
@Command(
    name = "login",
    description = "Signs you in at the identity provider of the server.",
    footer = {
      "",
      "Shows the address of a page and a code, and waits until you have confirmed the code there. The",
      "tokens are kept in ~/.config/sluice/sign-in, where only you can read them, and are refreshed."
    },
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
public final class LoginCommand implements Callable<Integer> {
  @Mixin ServerOptions server;

  @Override
  public Integer call() throws InterruptedException {
    ServerAddress address = server.address();
    URI url = address.url();
    ServerClient anonymous = new ServerClient(address.withToken(null));
    SignInProvider info = anonymous.get("/v1/sign-in", SignInProvider.class);
    String issuer = info.issuer();
    String clientId = info.clientId();
    if (issuer == null || clientId == null) {
      throw new ClientException(
          "the server %s has no identity provider: use a token of ./sluice token create"
              .formatted(url));
    }
    Terminal terminal = Terminal.standard();
    DeviceFlow flow = DeviceFlow.begin(issuer, clientId);
    terminal.print("Open " + flow.page() + " in a browser, and confirm the code " + flow.code());
    SavedSignIn saved = flow.await(url.toString());
    // Before it is kept: the server may refuse it.
    CallerIdentity who =
        new ServerClient(address.withToken(saved.idToken()))
            .get("/v1/whoami", CallerIdentity.class);
    SignInFolder.ofUser(System.getenv()).write(saved);
    terminal.print("signed in at %s as %s".formatted(url, who.name()));
    return 0;
  }
}
