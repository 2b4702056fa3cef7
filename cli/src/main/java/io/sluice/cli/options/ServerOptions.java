// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.options;

import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.ServerAddress;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.context.Context;
import io.sluice.cli.context.ContextFile;
import io.sluice.cli.context.Contexts;
import io.sluice.cli.identity.SignInFolder;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options that select the server. Options win over the environment, and both win over the
 * current context of the user's file.
 */
public final class ServerOptions {
  @Option(
      names = "--context",
      paramLabel = "NAME",
      description =
          "Context of the file ~/.config/sluice/config: a server with a token and a namespace. "
              + "Default: its current context, unless a server is given otherwise.")
  @Nullable String contextName;

  @Option(
      names = "--server",
      paramLabel = "URL",
      description =
          "URL of the server. Default: $SLUICE_SERVER, else the server of the data "
              + "directory, else http://127.0.0.1:7411.")
  @Nullable URI server;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Data directory of a server on this machine, which holds its address and "
              + "token. Default: $SLUICE_DATA.")
  @Nullable Path data;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "File with your token. Default: $SLUICE_TOKEN, else the token of the data "
              + "directory, for its own server only, else that of ./sluice login.")
  @Nullable Path tokenFile;

  @Option(
      names = "--ca-file",
      paramLabel = "FILE",
      description =
          "Certificates (PEM) of the authorities that sign the server's certificate. "
              + "Default: $SLUICE_CA_FILE, else the certificate of the data directory, for its own "
              + "server only, else the authorities that Java knows.")
  @Nullable Path caFile;

  private boolean looked;
  private @Nullable Context found;

  /** Returns a client with the token that is given or, without one, with that of the sign-in. */
  public ServerClient client() {
    ServerAddress found = address();
    if (found.token() != null) {
      return new ServerClient(found);
    }
    String token = SignInFolder.ofUser(System.getenv()).token(found.url(), Instant.now());
    return new ServerClient(found.withToken(token));
  }

  /** Returns the address of the server, with the token that is given. */
  public ServerAddress address() {
    return ServerAddress.find(asked(System.getenv()));
  }

  /** Returns the namespace of the context in effect; null: there is none. */
  public @Nullable String contextNamespace() {
    Context context = context(System.getenv());
    return context == null ? null : context.namespace();
  }

  /** Returns the choice of a server, with the context in effect. */
  ServerAddress.Asked asked(Map<String, String> environment) {
    Context context = context(environment);
    if (context == null) {
      return new ServerAddress.Asked(server, data, tokenFile, caFile);
    }
    ContextFile file = ContextFile.ofUser(environment);
    String folder = context.data();
    String token = context.tokenFile();
    String authorities = context.caFile();
    Path ofContext =
        token == null || given(environment, "SLUICE_TOKEN") ? null : file.resolve(token);
    return new ServerAddress.Asked(
        context.server(),
        folder == null ? null : file.resolve(folder),
        tokenFile == null ? ofContext : tokenFile,
        caFile == null && authorities != null && !given(environment, "SLUICE_CA_FILE")
            ? file.resolve(authorities)
            : caFile);
  }

  private @Nullable Context context(Map<String, String> environment) {
    if (!looked) {
      found = find(environment);
      looked = true;
    }
    return found;
  }

  private @Nullable Context find(Map<String, String> environment) {
    boolean selected = server != null || data != null;
    String name = contextName;
    if (name != null && selected) {
      throw new WrongUsageException("--context names a server, so --server and --data cannot");
    }
    boolean byEnvironment =
        given(environment, "SLUICE_SERVER") || given(environment, "SLUICE_DATA");
    if (name == null && (selected || byEnvironment)) {
      return null;
    }
    ContextFile file = ContextFile.ofUser(environment);
    Contexts contexts = file.read();
    String wanted = name == null ? contexts.current() : name;
    if (wanted == null) {
      return null;
    }
    Context context = contexts.named(wanted);
    if (context == null) {
      throw new ClientException(
          "there is no context %s in %s: its contexts are %s"
              .formatted(wanted, file.path(), contexts.names()));
    }
    String exposure = file.exposure(context);
    if (exposure != null) {
      System.err.println("sluice: warning: " + exposure);
    }
    return context;
  }

  private static boolean given(Map<String, String> environment, String variable) {
    String value = environment.get(variable);
    return value != null && !value.isBlank();
  }
}
