// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.application;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.List;
import java.util.Map;

/**
 * A test profile with the application's beans on a test database, without the parts that a server
 * starts and stops. All tests with this profile share one application and one database.
 */
public final class BeansOnly implements QuarkusTestProfile {
  @Override
  public Map<String, String> getConfigOverrides() {
    return Map.of(
        "quarkus.arc.test.disable-application-lifecycle-observers", "true",
        "quarkus.devservices.enabled", "false",
        "quarkus.log.file.enabled", "false",
        "sluice.data", "target",
        "sluice.url", "http://127.0.0.1:0",
        "sluice.listen", "127.0.0.1");
  }

  @Override
  public List<TestResourceEntry> testResources() {
    return List.of(new TestResourceEntry(MigratedDatabase.class));
  }
}
