// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Names;
import java.util.regex.Pattern;

/**
 * A reference to a value that is kept elsewhere: one key of a secret of the job's namespace.
 *
 * @param secret name of the secret
 * @param key one of its keys, as Kubernetes takes them
 */
public record SecretKey(String secret, String key) {
  private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]{1,253}");

  public SecretKey {
    Names.requireSubdomain(secret);
    requireKey(key);
  }

  /**
   * A key of a secret.
   *
   * @throws InvalidValueException if Kubernetes would not take it
   */
  public static String requireKey(String key) {
    if (!KEY.matcher(key).matches() || key.equals(".") || key.startsWith("..")) {
      throw new InvalidValueException(
          "must be the key of a secret: at most 253 letters, digits, -, _ and ., not beginning"
              + " with ..");
    }
    return key;
  }

  /** As {@code hf-token/value}. */
  @Override
  public String toString() {
    return secret + "/" + key;
  }
}
