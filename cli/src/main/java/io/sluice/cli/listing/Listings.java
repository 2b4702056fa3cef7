// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.listing;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.JsonRecords;
import io.sluice.cli.client.RefusedException;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.client.ServerClient.Listing;
import io.sluice.cli.options.Kinds;
import io.sluice.cli.options.LimitOption;
import io.sluice.cli.options.NameLookup;
import io.sluice.cli.options.NamedKind;
import io.sluice.cli.options.WrongUsageException;
import io.sluice.restmodel.administration.NamedObject;
import io.sluice.restmodel.fleet.HostView;
import io.sluice.restmodel.quota.QuotaObjectView;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the items of a kind from the server, page by page, or one of them. */
final class Listings {
  private static final String VISIBILITY = "/apis/visibility.kueue.x-k8s.io/v1beta2/";
  private static final int PENDING_MAX = 10_000;
  private static final Pattern ID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  private final ServerClient client;
  private final ListFilter filter;
  private final LimitOption limit;

  Listings(ServerClient client, ListFilter filter, LimitOption limit) {
    this.client = client;
    this.filter = filter;
    this.limit = limit;
  }

  /**
   * The result of a listing.
   *
   * @param single whether one object was requested, which then is the only item
   */
  record Shown(Listing listing, boolean single) {
    static Shown one(String path, JsonNode item, @Nullable String sequence) {
      return new Shown(new Listing(path, List.of(item), false, List.of(), sequence), true);
    }

    static Shown all(Listing listing) {
      return new Shown(listing, false);
    }

    List<JsonNode> items() {
      return listing.items();
    }

    /** Whether there are more items than the limit allows. */
    boolean more() {
      return listing.more();
    }

    /** Returns the server's warnings about the list. */
    List<String> warnings() {
      return listing.warnings();
    }

    /** From which to watch for changes; null: the endpoint does not tell. */
    @Nullable String sequence() {
      return listing.sequence();
    }
  }

  /**
   * Finds the items of a kind.
   *
   * @param name name of one item, or of the parent of the items; null: all
   * @param oneRun whether the name is that of a run rather than of a pipeline
   * @throws RefusedException if the name does not exist
   */
  Shown find(Kinds kinds, @Nullable String name, boolean oneRun) {
    return switch (kinds) {
      case JOBS -> name == null ? all(jobsPath()) : one("/v1/jobs/", NamedKind.JOB, name);
      case FLEET -> name == null ? all("/v1/slices?" + page()) : one("/v1/slices/", name);
      case HOSTS -> name == null ? all("/v1/hosts?" + page()) : host(name);
      case ALLOCATIONS -> {
        if (name != null) {
          throw new WrongUsageException("allocations have no names: sluice history slice NAME");
        }
        yield all("/v1/fleet/allocations?" + page());
      }
      case PLAN -> {
        if (name != null) {
          throw new WrongUsageException("the plan has no names: sluice explain JOB");
        }
        yield all(planPath());
      }
      case ACCURACY ->
          all(
              "/v1/accuracy?"
                  + page()
                  + (name == null ? "" : "&clusterQueue=" + ServerClient.encode(name)));
      case EVENTS, ATTEMPTS -> ofJob(kinds, name);
      case PENDING -> pending(name);
      case PIPELINES ->
          name == null
              ? all(paged("/v1/pipelines", filter.namespace, null))
              : namespaced(Kinds.PIPELINES, name);
      case RUNS -> runs(name, oneRun);
      case BACKFILLS ->
          name != null && ID.matcher(name).matches()
              ? one("/v1/backfills/", name)
              : all(paged("/v1/backfills", filter.namespace, name));
      case LOCAL_QUEUES -> name == null ? quotaObjects(kinds) : namespaced(kinds, name);
      case CLUSTER_QUEUES,
          COHORTS,
          TOPOLOGIES,
          FLAVORS,
          PRIORITY_CLASSES,
          COMPUTE_CLASSES,
          BOOKINGS,
          OUTAGES,
          TEAMS,
          ROLE_BINDINGS ->
          name == null ? quotaObjects(kinds) : one("/v1/" + kinds.plural() + "/", name);
    };
  }

  private String page() {
    return "limit=" + limit.page();
  }

  private String planPath() {
    Map<String, @Nullable String> parameters = new LinkedHashMap<>();
    parameters.put("namespace", filter.namespace);
    parameters.put("queue", filter.queue);
    parameters.put(
        "until", Instant.now().plus(filter.horizon()).truncatedTo(ChronoUnit.SECONDS).toString());
    parameters.put("limit", Integer.toString(limit.page()));
    return ServerClient.query("/v1/plan", parameters);
  }

  private Shown all(String path) {
    return Shown.all(client.listing(path, limit.most(), item -> true));
  }

  private Shown one(String folder, String name) {
    String path = folder + ServerClient.encode(name);
    ServerClient.Sequenced found = client.getSequenced(path);
    return Shown.one(path, found.body(), found.sequence());
  }

  /** Reads the job of an id. */
  JsonNode job(String id) {
    return client.get("/v1/jobs/" + ServerClient.encode(id));
  }

  /** Finds the id of the job that a name means. */
  String jobId(String name) {
    return names().id(NamedKind.JOB, name, NameLookup.Purpose.READ);
  }

  private Shown one(String folder, NamedKind kind, String name) {
    return one(folder, names().id(kind, name, NameLookup.Purpose.READ));
  }

  private NameLookup names() {
    return new NameLookup(client, filter.namespace);
  }

  private Shown namespaced(Kinds kinds, String name) {
    NamedKind kind = kinds == Kinds.PIPELINES ? NamedKind.PIPELINE : NamedKind.LOCAL_QUEUE;
    NamedObject found = names().find(kind, name, NameLookup.Purpose.READ);
    String place = ServerClient.encode(found.namespace());
    return one("/v1/" + kinds.plural() + "/" + place + "/", found.name());
  }

  /**
   * Lists quota objects; filters before it applies the limit, since the server lists all
   * namespaces.
   */
  private Shown quotaObjects(Kinds kinds) {
    String path = "/v1/" + kinds.plural() + "?" + page();
    return Shown.all(client.listing(path, limit.most(), item -> isWanted(item, path)));
  }

  /** Whether a quota object has the namespace of the filter, or its kind has none. */
  private boolean isWanted(JsonNode item, String path) {
    if (filter.namespace == null) {
      return true;
    }
    String own = JsonRecords.read(item, QuotaObjectView.class, path).metadata().namespace();
    return own == null || own.equals(filter.namespace);
  }

  private Shown host(String name) {
    String path = "/v1/hosts?limit=500";
    Listing found =
        client.listing(
            path, 1, item -> JsonRecords.read(item, HostView.class, path).name().equals(name));
    if (found.items().isEmpty()) {
      throw RefusedException.absent("there is no host " + name);
    }
    return Shown.one(path, found.items().get(0), null);
  }

  /** Finds a run, or the runs of a pipeline. */
  private Shown runs(@Nullable String name, boolean oneRun) {
    if (name == null) {
      return all(paged("/v1/runs", filter.namespace, null));
    }
    if (oneRun) {
      return one("/v1/runs/", NamedKind.RUN, name);
    }
    String plain = NameLookup.withoutKind(NamedKind.RUN, name);
    int slash = plain.indexOf('/');
    String namespace = slash < 0 ? filter.namespace : plain.substring(0, slash);
    Shown ofPipeline = all(paged("/v1/runs", namespace, plain.substring(slash + 1)));
    if (!ofPipeline.items().isEmpty()) {
      return ofPipeline;
    }
    if (names().findOrNull(NamedKind.RUN, plain, NameLookup.Purpose.READ) != null) {
      return one("/v1/runs/", NamedKind.RUN, plain);
    }
    if (names().findOrNull(NamedKind.PIPELINE, plain, NameLookup.Purpose.READ) != null) {
      return ofPipeline;
    }
    throw RefusedException.absent("there is no run and no pipeline " + plain);
  }

  /** Lists pending jobs of a ClusterQueue or, with a namespace, of a LocalQueue. */
  private Shown pending(@Nullable String name) {
    if (name == null) {
      throw new WrongUsageException(
          "name a queue: sluice get pending CLUSTERQUEUE, or NAMESPACE/LOCALQUEUE");
    }
    int slash = name.indexOf('/');
    String namespace = slash < 0 ? filter.namespace : name.substring(0, slash);
    String queue =
        namespace == null
            ? "clusterqueues/" + ServerClient.encode(name)
            : "namespaces/%s/localqueues/%s"
                .formatted(
                    ServerClient.encode(namespace), ServerClient.encode(name.substring(slash + 1)));
    int most = Math.min(limit.most(), PENDING_MAX - 1);
    // The answer has no cursor: one more than asked for says that there are more.
    String path = VISIBILITY + queue + "/pendingworkloads?limit=" + (most + 1);
    List<JsonNode> items = client.listing(path, most + 1, item -> true).items();
    return Shown.all(
        new Listing(
            path, items.subList(0, Math.min(most, items.size())), items.size() > most, List.of()));
  }

  /** Adds the filters by namespace and pipeline, and for runs by state. */
  private String paged(String path, @Nullable String namespace, @Nullable String pipeline) {
    Map<String, @Nullable String> parameters = new LinkedHashMap<>();
    parameters.put("namespace", namespace);
    parameters.put("pipeline", pipeline);
    parameters.put("state", filter.states.isEmpty() ? null : filter.states.get(0));
    parameters.put("limit", Integer.toString(limit.page()));
    return ServerClient.query(path, parameters);
  }

  private Shown ofJob(Kinds kinds, @Nullable String name) {
    if (name == null) {
      throw new WrongUsageException("name a job: sluice get " + kinds.plural() + " JOB");
    }
    String id = jobId(name);
    Map<String, @Nullable String> parameters = new LinkedHashMap<>();
    parameters.put("limit", Integer.toString(limit.page()));
    parameters.put("index", filter.index == null ? null : filter.index.toString());
    String path = ServerClient.query("/v1/jobs/" + id + "/" + kinds.plural(), parameters);
    return all(path + repeated("state", filter.states));
  }

  private String jobsPath() {
    Map<String, @Nullable String> parameters = new LinkedHashMap<>();
    parameters.put("namespace", filter.namespace);
    parameters.put("queue", filter.queue);
    parameters.put("held", filter.held ? "true" : null);
    parameters.put("limit", Integer.toString(limit.page()));
    return ServerClient.query("/v1/jobs", parameters)
        + repeated("state", filter.states)
        + repeated("label", filter.requirements());
  }

  private static String repeated(String parameter, List<String> values) {
    StringBuilder query = new StringBuilder();
    values.forEach(
        value ->
            query.append('&').append(parameter).append('=').append(ServerClient.encode(value)));
    return query.toString();
  }
}
