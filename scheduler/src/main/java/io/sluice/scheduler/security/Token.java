// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Compares tokens by their SHA-256, so that a stored form cannot be used as a token. */
public final class Token {
  private static final HexFormat HEX = HexFormat.of();

  private Token() {}

  /** The SHA-256 of a token's characters, in 64 hexadecimal digits. */
  public static String digest(String token) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
      return HEX.formatHex(digest);
    } catch (NoSuchAlgorithmException absent) {
      throw new IllegalStateException("every JDK has SHA-256", absent);
    }
  }
}
