// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.access;

import io.sluice.restmodel.access.SignInProvider;
import io.sluice.scheduler.security.oidc.ProviderSettings;
import io.sluice.scheduler.security.oidc.SignInMethods;
import jakarta.annotation.security.PermitAll;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** What a client must know to sign its user in. It is open to all, as nobody is signed in yet. */
@Tag(name = "Sessions")
@Path("/v1/sign-in")
@Produces(MediaType.APPLICATION_JSON)
@PermitAll
class SignInResource {
  private final SignInMethods methods;

  SignInResource(SignInMethods methods) {
    this.methods = methods;
  }

  /** Issuer and client of the identity provider. */
  @Operation(
      operationId = "getSignIn",
      summary = "Reads at which identity provider users sign in; needs no token")
  @GET
  public SignInProvider get() {
    return new SignInProvider(
        methods.provider().map(ProviderSettings::issuer).orElse(null),
        methods.provider().map(ProviderSettings::clientId).orElse(null));
  }
}
