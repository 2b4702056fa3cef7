// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.fleet;

import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.options.WrongUsageException;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.output.TextTable;
import io.sluice.restmodel.fleet.CapacitySupply;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows or changes the supply of a capacity type at the virtual provider. */
@Command(
    name = "capacity",
    description =
        "Shows or changes how the virtual provider grants slices, by capacity type. "
            + "Changes require the role admin.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example: sluice capacity spot --out-of-stock true"})
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
public final class CapacityCommand implements Callable<Integer> {
  private static final List<String> TYPES =
      List.of("reservation", "on-demand", "spot", "flex-start");

  @Mixin ServerOptions server;

  @Parameters(
      arity = "0..1",
      paramLabel = "TYPE",
      description = "Capacity type: reservation, on-demand, spot or flex-start. Default: show all.")
  @Nullable String type;

  @Option(
      names = "--out-of-stock",
      arity = "1",
      paramLabel = "true|false",
      description = "Whether the provider refuses requests because it is out of stock.")
  @Nullable Boolean outOfStock;

  @Option(
      names = "--grant-after",
      paramLabel = "TIME",
      description = "Time from a request to its grant, such as 90s, or never.")
  @Nullable String grantAfter;

  @Override
  public Integer call() {
    boolean change = outOfStock != null || grantAfter != null;
    if (change && type == null) {
      throw new WrongUsageException("--out-of-stock and --grant-after need the capacity TYPE");
    }
    if (type != null && !TYPES.contains(type)) {
      throw new WrongUsageException("TYPE must be one of " + TYPES + ", it is " + type);
    }
    ServerClient client = server.client();
    TextTable table = new TextTable("TYPE", "PROVISIONED", "GRANT AFTER", "OUT OF STOCK");
    for (String one : type == null ? TYPES : List.of(type)) {
      String path = "/v1/fleet/capacity/" + one;
      CapacitySupply supply =
          change
              ? client.put(changed(path), CapacitySupply.class)
              : client.get(path, CapacitySupply.class);
      table.add(
          one,
          Boolean.toString(supply.provisioned()),
          supply.grantAfter(),
          Boolean.toString(supply.outOfStock()));
    }
    Terminal.standard().print(table.lines());
    return 0;
  }

  private String changed(String path) {
    Map<String, @Nullable String> parameters = new LinkedHashMap<>();
    parameters.put("outOfStock", outOfStock == null ? null : outOfStock.toString());
    parameters.put("grantAfter", grantAfter);
    return ServerClient.query(path, parameters);
  }
}
