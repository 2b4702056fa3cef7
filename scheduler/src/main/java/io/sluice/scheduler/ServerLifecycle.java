// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler;

import io.agroal.api.AgroalDataSource;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.policy.FairSharing;
import io.sluice.manifests.Configuration;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.fleet.ExecutorKind;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.FleetFaults;
import io.sluice.scheduler.config.ConfigurationFile;
import io.sluice.scheduler.config.DataDirectory;
import io.sluice.scheduler.config.DurationSetting;
import io.sluice.scheduler.config.FaultsFile;
import io.sluice.scheduler.config.FleetFile;
import io.sluice.scheduler.config.ServerSettings;
import io.sluice.scheduler.config.UsageSettings;
import io.sluice.scheduler.execution.Executor;
import io.sluice.scheduler.execution.ExecutorSuccession;
import io.sluice.scheduler.execution.ReportWriter;
import io.sluice.scheduler.execution.capacity.FaultScript;
import io.sluice.scheduler.execution.capacity.VirtualCapacity;
import io.sluice.scheduler.execution.kubernetes.KubernetesExecutor;
import io.sluice.scheduler.execution.kubernetes.adoption.Adoptions;
import io.sluice.scheduler.execution.kubernetes.adoption.KueueReading;
import io.sluice.scheduler.execution.kubernetes.cluster.Clusters;
import io.sluice.scheduler.execution.kubernetes.fleet.FleetStandings;
import io.sluice.scheduler.execution.kubernetes.fleet.FleetWatch;
import io.sluice.scheduler.execution.kubernetes.provisioning.ClusterCapacity;
import io.sluice.scheduler.execution.kubernetes.webhook.WebhookServer;
import io.sluice.scheduler.execution.local.LocalExecutor;
import io.sluice.scheduler.execution.local.files.LocalExecutorSettings;
import io.sluice.scheduler.execution.simulated.SimulatedExecutor;
import io.sluice.scheduler.kueue.KueueSource;
import io.sluice.scheduler.loop.CommittedNodes;
import io.sluice.scheduler.loop.CommittedReasons;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.loop.DefaultNamespaces;
import io.sluice.scheduler.loop.HistorySettings;
import io.sluice.scheduler.loop.LeaderWork;
import io.sluice.scheduler.loop.NotificationListener;
import io.sluice.scheduler.loop.ServerRole;
import io.sluice.scheduler.pipeline.PipelineRunner;
import io.sluice.scheduler.pipeline.Pipelines;
import io.sluice.scheduler.pipeline.StepCheck;
import io.sluice.scheduler.pipeline.run.RunRows;
import io.sluice.scheduler.pipeline.schedule.ScheduleFires;
import io.sluice.scheduler.pipeline.schedule.Schedules;
import io.sluice.scheduler.pipeline.schedule.UpcomingRuns;
import io.sluice.scheduler.store.cluster.ProviderRows;
import io.sluice.scheduler.store.cluster.ProvisionedSliceRows;
import io.sluice.scheduler.store.input.InputRows;
import io.sluice.scheduler.store.input.InputWriter;
import io.sluice.scheduler.store.leadership.Candidate;
import io.sluice.scheduler.store.leadership.LeaderRow;
import io.sluice.scheduler.submission.AdoptionTransaction;
import io.sluice.scheduler.submission.JobCheck;
import io.sluice.scheduler.submission.SubmissionTransaction;
import io.sluice.scheduler.submission.SubmissionWriter;
import io.sluice.scheduler.telemetry.DecisionCounts;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Puts the parts of the application together, starts them in order and ends them in reverse. */
@Singleton
class ServerLifecycle {
  private static final Logger LOG = Logger.getLogger(ServerLifecycle.class);

  /** Of clusters of which nothing is known yet. */
  private static final Fleet OF_CLUSTERS = new Fleet(ExecutorKind.KUBERNETES, List.of(), List.of());

  private static final Duration CERTIFICATE_READ_EVERY = Duration.ofSeconds(10);

  private final AgroalDataSource database;
  private final Fleet fleet;
  private final Configuration configuration;
  private final CommittedView view;
  private final JobCheck jobCheck;
  private final SubmissionWriter submissions;
  private final Deque<AutoCloseable> started = new ArrayDeque<>();
  private final ReportWriter reports;
  private final Executor executor;
  private final ServerRole role;
  private final VirtualCapacity capacity;
  private final FaultScript faults;
  private final PipelineRunner runner;
  private final ScheduleFires fires;
  private final @Nullable FleetFaults script;
  private final @Nullable Clusters clusters;
  private final @Nullable FleetWatch nodes;
  private final @Nullable ClusterCapacity clusterCapacity;
  private final String kueueNamespace;
  private final Vertx vertx;
  private final WebhookServer.@Nullable Settings webhook;
  private @Nullable String endedBecause;

  ServerLifecycle(
      AgroalDataSource database, ServerSettings settings, DecisionCounts counts, Vertx vertx) {
    this.database = database;
    this.vertx = vertx;
    this.kueueNamespace = settings.kueueNamespace();
    this.webhook = settings.webhookCertificate().map(file -> webhook(file, settings)).orElse(null);
    this.configuration = configuration(settings);
    this.view = new CommittedView(policy(settings).withStarts(configuration.starts()), counts);
    this.fleet =
        settings
            .fleet()
            .map(file -> FleetFile.read(file, configuration.catalogue()))
            .orElse(settings.kubeconfig().isPresent() ? OF_CLUSTERS : Fleet.EMPTY);
    this.clusters = settings.kubeconfig().map(file -> clusters(file, settings)).orElse(null);
    this.nodes = clusters == null || settings.fleet().isPresent() ? null : nodes(clusters);
    this.jobCheck =
        new JobCheck(() -> fleet, configuration.resources(), settings.runContainersAsProcesses());
    this.submissions =
        new SubmissionWriter(() -> new SubmissionTransaction(database, jobCheck), this::endBecause);
    this.capacity =
        new VirtualCapacity(
            question -> view.ask(question).value(),
            () -> leads(),
            new ProviderRows(database),
            this::hostsFailed,
            Clock.systemUTC());
    this.clusterCapacity =
        clusters == null || nodes == null ? null : clusterCapacity(clusters, nodes);
    this.faults = new FaultScript(capacity, () -> leads());
    this.script = settings.faults().map(file -> FaultsFile.read(file, fleet)).orElse(null);
    this.runner =
        new PipelineRunner(database, jobCheck, configuration.readingTerms(), () -> leads());
    this.fires =
        new ScheduleFires(database, DurationSetting.MISSED_AFTER.read(settings.missedAfter()));
    this.reports = new ReportWriter(new InputWriter(database), counts.setAside(), this::endBecause);
    this.executor = new ExecutorSuccession(() -> newExecutor(settings));
    this.role =
        new ServerRole(
            database,
            new Candidate(DataDirectory.holder(settings.data()), settings.url(), Candidate.LEASE),
            view,
            new LeaderWork(
                database,
                view,
                executor,
                clusterCapacity == null ? capacity : clusterCapacity,
                this::setFleet,
                history(settings)),
            this::endBecause);
  }

  private static Configuration configuration(ServerSettings settings) {
    Configuration read =
        settings.configuration().map(ConfigurationFile::read).orElse(Configuration.DEFAULT);
    return settings.pathwaysController() ? read.withoutPathwaysJobs() : read;
  }

  private static HistorySettings history(ServerSettings settings) {
    return new HistorySettings(
        settings.snapshotEvery(),
        DurationSetting.HISTORY_RETENTION.read(settings.historyRetention()));
  }

  /** By which rules it decides; servers of one database are given the same. */
  private static EnginePolicy policy(ServerSettings settings) {
    return EnginePolicy.DEFAULT
        .withFairSharing(settings.fairSharing() ? FairSharing.DEFAULT : null)
        .withAdmissionFairSharing(
            UsageSettings.read(
                settings.usageHalfLife().orElse(null),
                settings.usageSamplingInterval(),
                settings.usageWeights().orElse(List.of())));
  }

  private static Clusters clusters(Path kubeconfig, ServerSettings settings) {
    int atATime = Clusters.Bounds.DEFAULT.atATime();
    return Clusters.read(kubeconfig, new Clusters.Bounds(settings.kubernetesRequests(), atATime));
  }

  private static WebhookServer.Settings webhook(Path certificate, ServerSettings settings) {
    return new WebhookServer.Settings(
        settings.listen(),
        settings.webhookPort(),
        certificate,
        settings.webhookKey().orElseThrow(),
        CERTIFICATE_READ_EVERY,
        settings.webhookAccount());
  }

  /** Nodes are the fleet where no file says what it is. */
  private FleetWatch nodes(Clusters watched) {
    Clock clock = Clock.systemUTC();
    return new FleetWatch(
        watched.nodes(configuration.catalogue(), clock)::all,
        OF_CLUSTERS,
        question -> view.ask(question).value(),
        () -> leads(),
        new ProviderRows(database),
        clock);
  }

  /** What the nodes' fleet does not have is the clusters' autoscalers' to bring. */
  private ClusterCapacity clusterCapacity(Clusters asked, FleetWatch watched) {
    return new ClusterCapacity(
        asked::callingDoors,
        question -> view.ask(question).value(),
        slice -> watched.isWell(slice.name()) && !capacity.isTakenAway(slice),
        () -> leads(),
        new ProvisionedSliceRows(database),
        Clock.systemUTC());
  }

  private Executor newExecutor(ServerSettings settings) {
    if (clusters != null) {
      return new KubernetesExecutor(
          clusters,
          new CommittedNodes(view, new ProvisionedSliceRows(database)),
          configuration.catalogue(),
          database,
          reports,
          settings.adoption() ? adoptions(settings) : null,
          settings.tpuMetricsPort());
    }
    if (fleet.executor() == ExecutorKind.SIMULATED) {
      return new SimulatedExecutor(reports, () -> leads());
    }
    LocalExecutorSettings local =
        LocalExecutorSettings.of(DataDirectory.executor(settings.data()), () -> fleet)
            .knowing(configuration.catalogue());
    if (settings.runContainersAsProcesses()) {
      LOG.warn(
          "containers of manifests run as processes of this machine: without their images, and with"
              + " no more isolation than other jobs");
      local = local.runningContainers();
    }
    return new LocalExecutor(settings.endJobs() ? local.endingOnClose() : local, reports);
  }

  private Adoptions adoptions(ServerSettings settings) {
    return new Adoptions(
        () -> new AdoptionTransaction(database, jobCheck),
        configuration.readingTerms(),
        new CommittedReasons(view),
        new DefaultNamespaces(view)::names,
        settings.kueueNamespace());
  }

  private void hostsFailed(Set<String> hosts) {
    executor.hostsFailed(hosts);
  }

  private boolean leads() {
    return role.leads();
  }

  void start(@Observes StartupEvent event) {
    if (webhook != null) {
      // It needs nothing of what follows, and is wanted until the rest has ended.
      started.push(WebhookServer.start(vertx, webhook));
    }
    started.push(reports);
    if (clusters != null) {
      started.push(clusters);
      clusters.follow();
    }
    started.push(executor);
    started.push(capacity);
    capacity.start();
    started.push(role);
    role.start();
    if (nodes != null) {
      started.push(nodes);
      nodes.start();
    }
    if (clusterCapacity != null) {
      started.push(clusterCapacity);
      clusterCapacity.start();
    }
    started.push(
        new NotificationListener(
            database,
            Map.of(
                InputRows.CHANNEL,
                role::wakeLoop,
                LeaderRow.CHANNEL,
                () -> {
                  role.wake();
                  runner.wake();
                },
                RunRows.CHANNEL,
                runner::wake)));
    started.push(faults);
    if (script != null) {
      faults.start(script, fleet);
    }
    started.push(submissions);
    started.push(runner);
    runner.start();
    started.push(fires);
    fires.start();
  }

  /**
   * Who leads has the fleet that it was given; servers of one database are given the same. One that
   * nodes make is known when they have been seen: until then the last leader's stands, and where
   * there is none, no cluster counts as reached.
   */
  private void setFleet() {
    Fleet known = view.ask(state -> state.fleet()).value();
    Fleet wanted = fleet;
    if (nodes != null) {
      wanted = known.equals(Fleet.EMPTY) ? OF_CLUSTERS.unreached(nodes.clusters()) : known;
    }
    if (!wanted.equals(known)) {
      new InputWriter(database).append(List.of(new Input.SetFleet(wanted)));
    }
  }

  private void endBecause(String reason) {
    LOG.errorf("the server ends: %s", reason);
    endedBecause = reason;
    Quarkus.asyncExit(1);
  }

  /** Why the server is ending of itself; null if it is not. */
  public @Nullable String endedBecause() {
    return endedBecause;
  }

  void stop(@Observes ShutdownEvent event) {
    while (!started.isEmpty()) {
      AutoCloseable part = started.pop();
      try {
        part.close();
      } catch (Exception failure) {
        LOG.warnf(failure, "%s did not end well", part.getClass().getSimpleName());
      }
    }
  }

  @Produces
  @Singleton
  Configuration configuration() {
    return configuration;
  }

  @Produces
  @Singleton
  CommittedView view() {
    return view;
  }

  @Produces
  @Singleton
  ServerRole role() {
    return role;
  }

  @Produces
  @Singleton
  JobCheck jobCheck() {
    return jobCheck;
  }

  @Produces
  @Singleton
  StepCheck stepCheck() {
    return new StepCheck(jobCheck, configuration.readingTerms());
  }

  @Produces
  @Singleton
  SubmissionWriter submissions() {
    return submissions;
  }

  @Produces
  @Singleton
  ReportWriter reports() {
    return reports;
  }

  @Produces
  @Singleton
  Pipelines pipelines() {
    return new Pipelines(database);
  }

  @Produces
  @Singleton
  UpcomingRuns upcomingRuns() {
    return new UpcomingRuns(database, configuration.readingTerms());
  }

  @Produces
  @Singleton
  Schedules schedules() {
    return new Schedules(database);
  }

  @Produces
  @Singleton
  VirtualCapacity capacity() {
    return capacity;
  }

  @Produces
  @Singleton
  FleetStandings standings() {
    return new FleetStandings(nodes);
  }

  @Produces
  @Singleton
  KueueSource kueue() {
    return new KueueReading(clusters, kueueNamespace);
  }

  @Produces
  @Singleton
  Executor executor() {
    return executor;
  }
}
