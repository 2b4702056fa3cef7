// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.webhook;

import io.sluice.scheduler.config.ServerSettings;
import io.sluice.scheduler.lifecycle.Part;
import io.sluice.scheduler.lifecycle.StartOrder;
import io.vertx.core.Vertx;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Starts and stops this server's webhook; without a certificate there is none. */
@Singleton
final class WebhookPart implements Part {
  private static final Duration CERTIFICATE_READ_EVERY = Duration.ofSeconds(10);

  private final Vertx vertx;
  private final WebhookServer.@Nullable Settings settings;
  private @Nullable WebhookServer server;

  WebhookPart(Vertx vertx, ServerSettings settings) {
    this.vertx = vertx;
    this.settings =
        settings.webhookCertificate().map(file -> settings(file, settings)).orElse(null);
  }

  private static WebhookServer.Settings settings(Path certificate, ServerSettings settings) {
    return new WebhookServer.Settings(
        settings.listen(),
        settings.webhookPort(),
        certificate,
        settings.webhookKey().orElseThrow(),
        CERTIFICATE_READ_EVERY,
        settings.webhookAccount());
  }

  @Override
  public StartOrder place() {
    return StartOrder.WEBHOOK;
  }

  @Override
  public void start() {
    if (settings != null) {
      server = WebhookServer.start(vertx, settings);
    }
  }

  @Override
  public void close() {
    WebhookServer running = server;
    if (running != null) {
      running.close();
    }
  }
}
