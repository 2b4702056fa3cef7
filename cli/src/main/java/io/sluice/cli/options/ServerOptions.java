// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.options;

import io.sluice.cli.client.ServerAddress;
import io.sluice.cli.client.ServerClient;
import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select the server. */
public final class ServerOptions {
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
              + "directory, for its own server only.")
  @Nullable Path tokenFile;

  public ServerClient client() {
    return new ServerClient(ServerAddress.find(new ServerAddress.Asked(server, data, tokenFile)));
  }
}
