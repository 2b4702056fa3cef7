// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.config;

import io.sluice.admission.policy.AdmissionFairSharing;
import io.sluice.manifests.field.DurationNotation;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.quantity.ResourceName;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the settings for the decayed usage of LocalQueues. */
public final class UsageSettings {
  private static final int WEIGHT_LENGTH_MAX = 20;

  private UsageSettings() {}

  /**
   * Reads the settings.
   *
   * @param halfLife null: usage is not used for ordering, and the result is null
   * @param weights each as {@code resource=number}
   * @throws StartException naming the invalid option
   */
  public static @Nullable AdmissionFairSharing read(
      @Nullable String halfLife, String samplingInterval, List<String> weights) {
    if (halfLife == null) {
      return null;
    }
    Duration half = duration("--usage-half-life", halfLife);
    Duration interval = duration("--usage-sampling-interval", samplingInterval);
    SortedMap<ResourceName, BigDecimal> read = new TreeMap<>();
    for (String weight : weights) {
      int sign = weight.indexOf('=');
      if (sign < 1) {
        throw wrong("--usage-weight", weight, "must be RESOURCE=NUMBER, such as cpu=0.5");
      }
      try {
        read.put(new ResourceName(weight.substring(0, sign)), number(weight.substring(sign + 1)));
      } catch (InvalidValueException | NumberFormatException reason) {
        throw wrong("--usage-weight", weight, "must be RESOURCE=NUMBER, such as cpu=0.5");
      }
    }
    return new AdmissionFairSharing(half, interval, read);
  }

  private static BigDecimal number(String text) {
    if (text.length() > WEIGHT_LENGTH_MAX || !text.matches("[0-9]+(\\.[0-9]+)?")) {
      throw new NumberFormatException(text);
    }
    return new BigDecimal(text);
  }

  private static Duration duration(String option, String text) {
    try {
      Duration read = DurationNotation.parse(text);
      if (read.compareTo(Duration.ofMillis(1)) < 0) {
        throw wrong(option, text, "must be at least 1ms");
      }
      return read;
    } catch (InvalidValueException | ArithmeticException reason) {
      throw wrong(option, text, "must be a duration such as 90s, 1h30m or 168h");
    }
  }

  private static StartException wrong(String option, String text, String reason) {
    return new StartException(option + " \"" + text + "\" " + reason);
  }
}
