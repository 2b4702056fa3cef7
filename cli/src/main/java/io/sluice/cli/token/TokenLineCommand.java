// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.token;

import io.sluice.cli.client.ClientException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Creates a token without a server, and the line for the server's file of tokens. */
@Command(
    name = "line",
    description =
        "Makes a token for a caller without a server, and its line for the tokens file of up "
            + "--tokens.",
    footer = {
      "",
      "The token is printed to standard output, for the caller. The line for the file of --tokens,",
      "which contains only a hash of the token, is printed to standard error."
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class TokenLineCommand implements Callable<Integer> {
  private static final int BYTES = 32;
  private static final int DAYS_MAX = 3660;

  /** The server's roles. */
  enum Role {
    admin,
    auditor,
    operator,
    submitter,
    viewer;

    private boolean needsNamespaces() {
      return this == operator || this == submitter || this == viewer;
    }
  }

  @Spec CommandSpec spec;

  @Parameters(
      paramLabel = "NAME",
      description = "Name of the caller: at most 100 letters, digits and @._-")
  String name;

  @Option(
      names = "--role",
      defaultValue = "viewer",
      description = "Role of the caller: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  Role role;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "Namespace for which the caller has its role, or * for all. Repeatable.")
  List<String> namespaces = List.of();

  @Option(
      names = "--days",
      paramLabel = "N",
      description = "Days until the token expires, 1 to 3660. Default: it does not expire.")
  @Nullable Integer days;

  @Override
  public Integer call() throws NoSuchAlgorithmException {
    if (role.needsNamespaces() && namespaces.isEmpty()) {
      throw new ClientException(
          "the role %s needs --namespace, or --namespace '*' for all".formatted(role));
    }
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9@._-]{0,99}")) {
      throw new ClientException("a name has letters, digits and @._- only: " + name);
    }
    if (days != null && (days < 1 || days > DAYS_MAX)) {
      throw new ClientException("--days must be between 1 and " + DAYS_MAX + ": " + days);
    }
    byte[] random = new byte[BYTES];
    new SecureRandom().nextBytes(random);
    String token = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    byte[] digest =
        MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    PrintWriter err = spec.commandLine().getErr();
    err.printf(
        "%s %s %s %s sha256:%s%n",
        name,
        role,
        namespaces.isEmpty() ? "-" : String.join(",", namespaces),
        days == null ? "-" : expiry(days),
        HexFormat.of().formatHex(digest));
    spec.commandLine().getOut().println(token);
    return 0;
  }

  private static Instant expiry(int days) {
    return Instant.now().plus(Duration.ofDays(days)).truncatedTo(ChronoUnit.SECONDS);
  }
}
