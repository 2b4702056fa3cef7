// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import org.jspecify.annotations.Nullable;

/** Converts texts for answers. */
public final class Texts {
  private Texts() {}

  /** The text; null, and so absent from the answer, if it is empty. */
  public static @Nullable String unlessEmpty(String text) {
    return text.isEmpty() ? null : text;
  }
}
