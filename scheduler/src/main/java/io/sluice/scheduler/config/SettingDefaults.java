// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.config;

/** The defaults that options of {@code sluice up} share with their settings. */
public final class SettingDefaults {
  /** {@link ServerSettings#requestRate}. */
  public static final String REQUEST_RATE = "500";

  public static final String OIDC_USERNAME_CLAIM = "email";
  public static final String OIDC_GROUPS_CLAIM = "groups";

  /** {@link ServerSettings#kueueNamespace}. */
  public static final String KUEUE_NAMESPACE = "kueue-system";

  /** {@link ServerSettings#kubernetesRequests}. */
  public static final String KUBERNETES_REQUESTS = "200";

  /** {@link ServerSettings#tpuMetricsPort}. */
  public static final String TPU_METRICS_PORT = "2112";

  /** {@link ServerSettings#webhookPort}. */
  public static final String WEBHOOK_PORT = "7443";

  /** {@link ServerSettings#webhookAccount}. */
  public static final String WEBHOOK_ACCOUNT = "system:serviceaccount:sluice-system:sluice";

  /** {@link ServerSettings#usageSamplingInterval}. */
  public static final String USAGE_SAMPLING_INTERVAL = "5m";

  /** {@link ServerSettings#snapshotEvery}. */
  public static final String SNAPSHOT_EVERY = "10000";

  /** {@link ServerSettings#historyRetention}. */
  public static final String HISTORY_RETENTION = "336h";

  /** {@link ServerSettings#archiveAfter}. */
  public static final String ARCHIVE_AFTER = "2160h";

  /** {@link ServerSettings#missedAfter}. */
  public static final String MISSED_AFTER = "60s";

  /** {@link ServerSettings#metricsQueues}. */
  public static final String METRICS_QUEUES = "1000";

  /** {@link ServerSettings#jobProcesses}. */
  public static final String JOB_PROCESSES = "8192";

  /** {@link ServerSettings#jobLogLimit}. */
  public static final String JOB_LOG_LIMIT = "64Mi";

  private SettingDefaults() {}
}
