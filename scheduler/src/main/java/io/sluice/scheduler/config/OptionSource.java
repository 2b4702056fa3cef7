// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.config;

import io.quarkus.runtime.annotations.StaticInitSafe;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.jspecify.annotations.Nullable;

/**
 * The settings made from the options of {@code sluice up}. They override system properties and
 * environment variables, and are kept out of both, because they may contain a password.
 *
 * <p>The application creates its sources by itself, so the settings are passed statically before it
 * starts.
 */
@StaticInitSafe
public final class OptionSource implements ConfigSource {
  /** Higher than the 400 of system properties. */
  private static final int ORDINAL = 500;

  private static volatile Map<String, String> settings = Map.of();

  /** Sets the settings of the application that starts next in this process. */
  public static void use(Map<String, String> chosen) {
    settings = Map.copyOf(chosen);
  }

  @Override
  public String getName() {
    return "options of sluice up";
  }

  @Override
  public int getOrdinal() {
    return ORDINAL;
  }

  @Override
  public Set<String> getPropertyNames() {
    return settings.keySet();
  }

  @Override
  public @Nullable String getValue(String name) {
    return settings.get(name);
  }
}
