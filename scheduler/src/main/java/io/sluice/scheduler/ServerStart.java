// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler;

import io.quarkus.runtime.Quarkus;
import io.sluice.manifests.Configuration;
import io.sluice.migrations.SchemaMigration;
import io.sluice.migrations.SchemaMigrationException;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.fleet.ExecutorKind;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.scheduler.config.ConfigurationFile;
import io.sluice.scheduler.config.DataDirectory;
import io.sluice.scheduler.config.DurationSetting;
import io.sluice.scheduler.config.FaultsFile;
import io.sluice.scheduler.config.FleetFile;
import io.sluice.scheduler.config.OptionSource;
import io.sluice.scheduler.config.StartException;
import io.sluice.scheduler.config.UsageSettings;
import io.sluice.scheduler.execution.kubernetes.cluster.Clusters;
import io.sluice.scheduler.execution.local.files.SecretFiles;
import io.sluice.scheduler.postgres.EmbeddedPostgres;
import io.sluice.scheduler.postgres.PostgresSettings;
import io.sluice.scheduler.postgres.PostgresStartException;
import io.sluice.scheduler.postgres.PostgresSupervision;
import io.sluice.scheduler.security.TokensFile;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.cluster.Detachment;
import io.sluice.scheduler.store.quota.SettingRows;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Starts a server: directory, database, schema, application; takes it down in reverse order. An
 * error in the user's options or files ends the start with a message of one line.
 */
final class ServerStart {
  private static final Duration SHUTDOWN_PATIENCE = Duration.ofSeconds(60);

  private static final int PORT_MAX = 65_535;

  private final UpCommand options;
  private final CountDownLatch applicationEnded = new CountDownLatch(1);
  private @Nullable ExternalDatabase external;
  private @Nullable EmbeddedPostgres postgres;
  private @Nullable PostgresSupervision supervision;
  private volatile @Nullable DataDirectory taken;

  ServerStart(UpCommand options) {
    this.options = options;
  }

  /**
   * Runs until the server is told to end.
   *
   * @return the exit code
   */
  int run() {
    try (DataDirectory directory = DataDirectory.take(dataPath(), options.asCopy)) {
      taken = directory;
      DataDirectory.token(directory.path());
      InetSocketAddress address = address();
      checkOptions(directory);
      PGSimpleDataSource database = database(directory);
      try {
        SchemaMigration.apply(database);
        if (options.queueing != null) {
          SettingRows.setQueueing(database, options.queueing);
        }
        detach(directory, database);
        OptionSource.use(OptionSettings.of(options, directory.path(), address, access()));
        ServerApplication.own(directory);
        return runApplication();
      } finally {
        stopDatabase();
      }
    } catch (StartException
        | InvalidValueException
        | PostgresStartException
        | SchemaMigrationException
        | TransientStoreException failure) {
      System.err.println("sluice: " + failure.getMessage());
      return 1;
    }
  }

  /** Checks the options and the files that they name, before anything is started. */
  private void checkOptions(DataDirectory directory) {
    Path fleet = options.fleet;
    Configuration configuration =
        options.configuration == null
            ? Configuration.DEFAULT
            : ConfigurationFile.read(options.configuration);
    Fleet known = fleet == null ? Fleet.EMPTY : FleetFile.read(fleet, configuration.catalogue());
    checkClusters(known);
    if (options.faults != null) {
      FaultsFile.read(options.faults, known);
    }
    UsageSettings.read(options.usageHalfLife, options.usageSamplingInterval, options.usageWeights);
    DurationSetting.HISTORY_RETENTION.read(options.historyRetention);
    DurationSetting.ARCHIVE_AFTER.read(options.archiveAfter);
    DurationSetting.MISSED_AFTER.read(options.missedAfter);
    if (options.snapshotEvery < 1) {
      throw new StartException("--snapshot-every must be at least 1: " + options.snapshotEvery);
    }
    if (options.metricsQueues < 0) {
      throw new StartException("--metrics-queues must not be negative: " + options.metricsQueues);
    }
    options.transport.check();
    options.signIn.check();
    if (options.signIn.clusterTokenAudience != null && options.kubeconfig == null) {
      throw new StartException("--cluster-token-audience needs --kubeconfig");
    }
    if (options.tokens != null) {
      TokensFile.check(options.tokens);
    }
    LocalJobs.logBytes(options.jobLogLimit);
    SecretFiles.check(options.secrets);
    if (options.kubeconfig == null && known.executor() == ExecutorKind.LOCAL) {
      LocalJobs.check(options, directory.path());
    }
  }

  /**
   * If the data directory is a copy, detaches its database from the executors and the clusters of
   * the original. An external database is shared with the original, not copied.
   */
  private void detach(DataDirectory directory, PGSimpleDataSource database) {
    Detachment detachment = new Detachment(database);
    if (!directory.formerExecutors().isEmpty()) {
      if (external == null) {
        detachment.detach(Detachment.Origin.COPIED, directory.formerExecutors());
      }
      directory.detached();
    }
    if (options.kubeconfig == null) {
      return;
    }
    if (options.takeClusters) {
      detachment.takeClusters();
    } else if (detachment.keepsFromClusters()) {
      throw new StartException(
          "this database is a copy, and the objects in the clusters are those of its original: give"
              + " no --kubeconfig, or --take-clusters if the original does not run any more");
    }
  }

  /**
   * Refuses a fleet with hosts of its own beside clusters: hosts of both kinds cannot be told apart
   * yet.
   */
  private void checkClusters(Fleet fleet) {
    checkWebhook();
    boolean named = fleet.executor() == ExecutorKind.KUBERNETES;
    if (options.kubeconfig == null) {
      if (named) {
        throw new StartException("--fleet names the executor kubernetes, which needs --kubeconfig");
      }
      return;
    }
    if (options.fleet != null && !named) {
      throw new StartException(
          "--fleet beside --kubeconfig must name the executor kubernetes, it names "
              + fleet.executor().word());
    }
    if (options.containersAsProcesses) {
      throw new StartException(
          "--run-containers-as-processes excludes --kubeconfig: clusters run containers");
    }
    if (options.kubernetesRequests < 1) {
      throw new StartException(
          "--kubernetes-requests must be at least 1: " + options.kubernetesRequests);
    }
    if (options.tpuMetricsPort < 0 || options.tpuMetricsPort > PORT_MAX) {
      throw new StartException(
          "--tpu-metrics-port must be between 0 and 65535: " + options.tpuMetricsPort);
    }
    Clusters.read(options.kubeconfig, Clusters.Bounds.of(options.kubernetesRequests)).close();
  }

  private void checkWebhook() {
    if ((options.webhookCertificate == null) != (options.webhookKey == null)) {
      throw new StartException("--webhook-certificate and --webhook-key need each other");
    }
    if (options.webhookCertificate != null && options.kubeconfig == null) {
      throw new StartException(
          "--webhook-certificate needs --kubeconfig: it holds jobs of clusters");
    }
    if (options.webhookPort < 0 || options.webhookPort > PORT_MAX) {
      throw new StartException(
          "--webhook-port must be between 0 and 65535: " + options.webhookPort);
    }
  }

  private Path dataPath() {
    if (options.data != null) {
      return options.data;
    }
    return "root".equals(System.getProperty("user.name"))
        ? Path.of("/var/lib/sluice")
        : Path.of(System.getProperty("user.home"), ".local", "share", "sluice");
  }

  /** The address to listen on, found to be free; chooses a port if none is given. */
  private InetSocketAddress address() {
    try {
      InetAddress host = InetAddress.getByName(options.listen);
      if (!host.isLoopbackAddress() && options.tokens == null) {
        throw new StartException(
            "cannot listen on "
                + options.listen
                + ", which other machines reach, without --tokens, which names the callers");
      }
      return new InetSocketAddress(host, FreePort.find(host, options.port));
    } catch (UnknownHostException unknown) {
      throw new StartException("--listen: no such address: " + options.listen);
    } catch (IllegalArgumentException range) {
      throw new StartException("--port must be between 0 and 65535: " + options.port);
    } catch (IOException taken) {
      throw new StartException(
          "cannot listen on %s:%d: %s".formatted(options.listen, options.port, taken.getMessage()));
    }
  }

  private PGSimpleDataSource database(DataDirectory directory) {
    external =
        ExternalDatabase.of(options.database, options.databasePassword.file, System.getenv());
    if (external != null) {
      return external.source();
    }
    PGSimpleDataSource source = new PGSimpleDataSource();
    EmbeddedPostgres started =
        EmbeddedPostgres.start(directory.postgres(), PostgresSettings.forKeptData());
    postgres = started;
    supervision = PostgresSupervision.of(started, ServerStart::endWithoutDatabase);
    source.setUrl(started.jdbcUrl());
    source.setUser(started.user());
    source.setPassword(started.password());
    return source;
  }

  private static void endWithoutDatabase(String reason) {
    System.err.println("sluice: " + reason);
    Quarkus.asyncExit(1);
  }

  private OptionSettings.DatabaseAccess access() {
    if (external != null) {
      return new OptionSettings.DatabaseAccess(external.url(), null, external.password());
    }
    EmbeddedPostgres embedded = Objects.requireNonNull(postgres);
    return new OptionSettings.DatabaseAccess(
        embedded.jdbcUrl(), embedded.user(), embedded.password());
  }

  /**
   * Runs the application. On a signal the application's own shutdown hook ends it. All hooks run at
   * once, so ours waits for that one before it ends the database.
   */
  private int runApplication() {
    Thread hook = new Thread(this::endAfterApplication, "database-shutdown");
    Runtime.getRuntime().addShutdownHook(hook);
    int[] exitCode = {0};
    Quarkus.run(
        ServerApplication.class,
        (code, failure) -> {
          exitCode[0] = code;
          if (failure != null) {
            System.err.println("sluice: " + rootMessage(failure));
            exitCode[0] = 1;
          }
          applicationEnded.countDown();
        });
    return exitCode[0];
  }

  private static String rootMessage(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getMessage() == null ? root.toString() : root.getMessage();
  }

  private void endAfterApplication() {
    try {
      if (!applicationEnded.await(SHUTDOWN_PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        System.err.println("sluice: the application does not end; the database is stopped");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    stopDatabase();
    // The process ends when the hooks are done, even if the main thread has not returned by then.
    DataDirectory directory = taken;
    if (directory != null) {
      directory.close();
    }
  }

  private synchronized void stopDatabase() {
    PostgresSupervision watching = supervision;
    supervision = null;
    if (watching != null) {
      watching.close();
    }
    EmbeddedPostgres running = postgres;
    postgres = null;
    if (running != null) {
      running.close();
    }
  }
}
