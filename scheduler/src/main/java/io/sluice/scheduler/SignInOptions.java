// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler;

import io.sluice.scheduler.config.SettingDefaults;
import io.sluice.scheduler.config.StartException;
import io.sluice.scheduler.security.oidc.ProviderFiles;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the sign-in of users at an identity provider (OpenID Connect). */
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class SignInOptions {
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final String HTTPS = "https";

  @Option(
      names = "--public-url",
      paramLabel = "URL",
      description =
          "URL by which browsers reach this server, if a proxy is in front of it, such as "
              + "https://sluice.example.org. Default: scheme and host of each request.")
  @Nullable String publicUrl;

  @Option(
      names = "--oidc-issuer",
      paramLabel = "URL",
      description =
          "Issuer of the identity provider (OpenID Connect) whose users may sign in. Requires "
              + "--oidc-client-id. Default: callers have tokens of Sluice only.")
  @Nullable String issuer;

  @Option(
      names = "--oidc-client-id",
      paramLabel = "ID",
      description = "Client that Sluice is at the identity provider. Requires --oidc-issuer.")
  @Nullable String clientId;

  @Option(
      names = "--oidc-client-secret-file",
      paramLabel = "FILE",
      description =
          "File with the client's secret, which other accounts must not be able to read. "
              + "Default: the client is public.")
  @Nullable Path clientSecretFile;

  @Option(
      names = "--oidc-audience",
      paramLabel = "NAME",
      description =
          "Audience of accepted tokens, beside the client of --oidc-client-id. Repeatable. "
              + "Default: that client only.")
  List<String> audiences = List.of();

  @Option(
      names = "--oidc-username-claim",
      paramLabel = "CLAIM",
      defaultValue = SettingDefaults.OIDC_USERNAME_CLAIM,
      description =
          "Claim with the user's name. An email whose email_verified is not true is refused. "
              + "Default: ${DEFAULT-VALUE}.")
  String usernameClaim;

  @Option(
      names = "--oidc-username-prefix",
      paramLabel = "TEXT",
      description = "Text before the names of users, such as oidc:. Default: none.")
  @Nullable String usernamePrefix;

  @Option(
      names = "--oidc-groups-claim",
      paramLabel = "CLAIM",
      defaultValue = SettingDefaults.OIDC_GROUPS_CLAIM,
      description =
          "Claim with the names of the user's groups, at most 500. Default: ${DEFAULT-VALUE}.")
  String groupsClaim;

  @Option(
      names = "--oidc-groups-prefix",
      paramLabel = "TEXT",
      description = "Text before the names of groups, such as oidc:. Default: none.")
  @Nullable String groupsPrefix;

  @Option(
      names = "--oidc-ca-file",
      paramLabel = "FILE",
      description =
          "Certificates (PEM) of the authorities that sign the identity provider's certificate. "
              + "Default: the authorities that Java knows.")
  @Nullable Path caFile;

  @Option(
      names = "--cluster-token-audience",
      paramLabel = "NAME",
      description =
          "Accept tokens of ServiceAccounts of the default cluster that are for this audience, "
              + "such as sluice. Requires --kubeconfig. Default: none are accepted.")
  @Nullable String clusterTokenAudience;

  /**
   * Checks the options and the files.
   *
   * @throws StartException if options contradict each other or have no correct form
   * @throws io.sluice.queuemodel.InvalidValueException if a file cannot be used
   */
  void check() {
    String url = publicUrl;
    if (url != null) {
      URI parsed = url("--public-url", url);
      if (!parsed.getRawPath().isEmpty() || parsed.getRawQuery() != null) {
        throw new StartException("--public-url must be scheme, host and port only: " + url);
      }
    }
    String from = issuer;
    if (from == null) {
      if (clientId != null || clientSecretFile != null || caFile != null || !audiences.isEmpty()) {
        throw new StartException(
            "--oidc-client-id, --oidc-client-secret-file, --oidc-audience and --oidc-ca-file need"
                + " --oidc-issuer");
      }
      return;
    }
    if (clientId == null) {
      throw new StartException("--oidc-issuer needs --oidc-client-id");
    }
    URI parsed = url("--oidc-issuer", from);
    if (!HTTPS.equals(parsed.getScheme()) && !LOOPBACK.contains(parsed.getHost())) {
      throw new StartException("--oidc-issuer must begin with https://: " + from);
    }
    new ProviderFiles(clientSecretFile, caFile).check();
  }

  private static URI url(String option, String text) {
    try {
      URI url = new URI(text);
      if (Set.of("http", HTTPS).contains(String.valueOf(url.getScheme()))
          && url.getHost() != null
          && url.getRawFragment() == null
          && url.getRawUserInfo() == null) {
        return url;
      }
    } catch (URISyntaxException malformed) {
      // The message below says what is needed.
    }
    throw new StartException(option + " must be an http or https URL: " + text);
  }
}
