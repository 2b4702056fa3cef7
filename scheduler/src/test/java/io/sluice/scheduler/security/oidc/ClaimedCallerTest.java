// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.BadJWTException;
import io.sluice.scheduler.security.Caller;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClaimedCallerTest {
  private static ClaimedCaller reader(String user, String prefix) {
    return new ClaimedCaller(
        new ProviderSettings.Claims(user, prefix, "roles", "team:"), "taken"::equals);
  }

  private static JWTClaimsSet claims(String name, Object value) {
    return new JWTClaimsSet.Builder().claim(name, value).build();
  }

  @Test
  void prefixesKeepNamesApart() throws BadJWTException {
    JWTClaimsSet token =
        new JWTClaimsSet.Builder().subject("taken").claim("roles", List.of("b", "a")).build();
    Caller caller = reader("sub", "oidc:").read(token);
    assertThat(caller.name()).isEqualTo("oidc:taken");
    assertThat(caller.groups()).containsExactly("team:a", "team:b");
    assertThat(caller.grants()).isEmpty();
    assertThatThrownBy(() -> reader("sub", "").read(token)).hasMessageContaining("taken");
  }

  @Test
  void aPrefixCannotMakeAReservedName() {
    assertThatThrownBy(() -> reader("sub", "system:").read(claims("sub", "x")))
        .isInstanceOf(BadJWTException.class)
        .hasMessageContaining("system:x is reserved");
  }

  @Test
  void oneGroupMayBeText() throws BadJWTException {
    JWTClaimsSet token = new JWTClaimsSet.Builder().subject("x").claim("roles", "only").build();
    assertThat(reader("sub", "").read(token).groups()).containsExactly("team:only");
  }

  @Test
  void verifiedIsOfTheEmailOnly() throws BadJWTException {
    JWTClaimsSet token =
        new JWTClaimsSet.Builder()
            .subject("x")
            .claim("email", "x@example.org")
            .claim("email_verified", false)
            .build();
    assertThat(reader("sub", "").read(token).name()).isEqualTo("x");
    assertThatThrownBy(() -> reader("email", "").read(token))
        .hasMessageContaining("email_verified");
  }
}
