// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.output.Terminal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists things, or shows one. */
@Command(
    name = "get",
    description = "Lists things, or shows one.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Kinds: jobs, clusterqueues (cq), localqueues (lq), cohorts, resourceflavors (rf),",
      "workloadpriorityclasses (wpc), slices (fleet), hosts, allocations, events JOB,",
      "attempts JOB, pending CLUSTERQUEUE, pending -n NS LOCALQUEUE, pipelines (pl),",
      "runs, runs PIPELINE."
    })
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class GetCommand implements Callable<Integer> {
  private static final long WATCH_MILLIS = 1000;
  private static final String VISIBILITY = "/apis/visibility.kueue.x-k8s.io/v1beta2/";
  private static final int PENDING_MAX = 10_000;

  @Mixin ServerOptions server;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "Only of this namespace. Default: all.")
  @Nullable String namespace;

  @Option(
      names = {"-q", "--queue"},
      paramLabel = "QUEUE",
      description = "Only jobs of this LocalQueue.")
  @Nullable String queue;

  @Option(
      names = {"-s", "--state"},
      paramLabel = "STATE",
      description = "Only jobs in this state. Repeatable.")
  @Nullable List<String> states;

  @Option(names = "--held", description = "Only jobs that are held.")
  boolean held;

  @Option(
      names = {"-l", "--label"},
      paramLabel = "KEY=VALUE",
      description = "Only jobs with this label. Repeatable.")
  @Nullable List<String> labels;

  @Mixin LimitOption limit;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      defaultValue = "table",
      description = "table, name, json or yaml. Default: ${DEFAULT-VALUE}.")
  String output;

  @Option(
      names = {"-w", "--watch"},
      description = "Show it again and again until interrupted.")
  boolean watch;

  @Parameters(index = "0", paramLabel = "KIND")
  String kind;

  @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "Name or id of one.")
  @Nullable String name;

  @Override
  public Integer call() throws InterruptedException {
    Kinds kinds = Kinds.parse(kind);
    limit.check();
    ServerClient client = server.client();
    Terminal terminal = Terminal.standard();
    if (!watch) {
      terminal.print(show(kinds, client, terminal));
      return 0;
    }
    while (true) {
      List<String> lines = show(kinds, client, terminal);
      if (terminal.interactive()) {
        terminal.redraw(lines);
      } else {
        terminal.print(lines);
      }
      Thread.sleep(WATCH_MILLIS);
    }
  }

  private List<String> show(Kinds kinds, ServerClient client, Terminal terminal) {
    boolean single =
        name != null
            && (kinds == Kinds.JOBS
                || kinds == Kinds.FLEET
                || kinds == Kinds.PIPELINES
                || kinds.quotaObjects());
    List<JsonNode> items = single ? List.of(one(kinds, client)) : list(kinds, client);
    return switch (output) {
      case "table" -> {
        List<String> lines =
            items.isEmpty() ? List.of("nothing found") : table(kinds, items, single, terminal);
        yield kinds == Kinds.FLEET && !single ? withClusters(lines, client, terminal) : lines;
      }
      case "name" -> items.stream().map(item -> kinds.plural() + "/" + named(item)).toList();
      default -> document(items, single);
    };
  }

  /** Of a single job also what a later start of it goes on from, which has no room in a table. */
  private static List<String> table(
      Kinds kinds, List<JsonNode> items, boolean single, Terminal terminal) {
    List<String> lines =
        new ArrayList<>(new Tables(terminal, Instant.now()).of(kinds, items).lines());
    String checkpoint = items.get(0).path("status").path("checkpoint").asText("");
    if (single && !checkpoint.isEmpty()) {
      lines.add("");
      lines.add("Checkpoint: " + checkpoint);
    }
    return lines;
  }

  /** Where nodes of clusters are the fleet: how it is with them, and what of them is left out. */
  private static List<String> withClusters(
      List<String> lines, ServerClient client, Terminal terminal) {
    JsonNode fleet = client.get("/v1/fleet?limit=1");
    List<String> more = new ClusterLines(terminal, Instant.now()).of(fleet);
    if (more.isEmpty()) {
      return lines;
    }
    List<String> all = new ArrayList<>(lines);
    all.add("");
    all.addAll(more);
    return all;
  }

  /** Hosts and slices are no objects with metadata. */
  private static String named(JsonNode item) {
    return item.path("metadata").path("name").asText(item.path("name").asText());
  }

  private List<String> document(List<JsonNode> items, boolean single) {
    JsonNode document;
    if (single) {
      document = items.get(0);
    } else {
      ObjectNode list = JsonNodeFactory.instance.objectNode();
      list.putArray("items").addAll(items);
      document = list;
    }
    return Documents.write(document, output).lines().toList();
  }

  private JsonNode one(Kinds kinds, ServerClient client) {
    String asked = String.valueOf(name);
    if (kinds == Kinds.JOBS) {
      return new JobLookup(client, namespace).find(asked);
    }
    String place =
        kinds == Kinds.LOCAL_QUEUES || kinds == Kinds.PIPELINES
            ? ServerClient.encode(namespace == null ? "default" : namespace) + "/"
            : "";
    return client.get("/v1/" + kinds.plural() + "/" + place + ServerClient.encode(asked));
  }

  private List<JsonNode> list(Kinds kinds, ServerClient client) {
    return switch (kinds) {
      case JOBS -> client.list(jobsPath(), limit.most());
      case FLEET -> client.list("/v1/slices?limit=" + limit.page(), limit.most());
      case HOSTS -> client.list("/v1/hosts?limit=" + limit.page(), limit.most());
      case ALLOCATIONS -> client.list("/v1/fleet/allocations?limit=" + limit.page(), limit.most());
      case EVENTS -> client.list(ofJob(client, "events"), limit.most());
      case ATTEMPTS -> client.list(ofJob(client, "attempts"), limit.most());
      case PENDING -> pending(client);
      case PIPELINES -> client.list(paged("/v1/pipelines", null), limit.most());
      case RUNS -> client.list(paged("/v1/runs", name), limit.most());
      case CLUSTER_QUEUES,
          LOCAL_QUEUES,
          COHORTS,
          TOPOLOGIES,
          FLAVORS,
          PRIORITY_CLASSES,
          COMPUTE_CLASSES ->
          client.list("/v1/" + kinds.plural(), limit.most()).stream()
              .filter(
                  item ->
                      namespace == null
                          || namespace.equals(
                              item.path("metadata").path("namespace").asText(namespace)))
              .toList();
    };
  }

  /** Who waits in a ClusterQueue, or with a namespace in a LocalQueue. */
  private List<JsonNode> pending(ServerClient client) {
    if (name == null) {
      throw new ClientException(
          "of which queue? sluice get pending CLUSTERQUEUE, or -n NS LOCALQUEUE");
    }
    String queue =
        namespace == null
            ? "clusterqueues/" + ServerClient.encode(name)
            : "namespaces/%s/localqueues/%s"
                .formatted(ServerClient.encode(namespace), ServerClient.encode(name));
    List<JsonNode> items = new ArrayList<>();
    client
        .get(VISIBILITY + queue + "/pendingworkloads?limit=" + Math.min(limit.most(), PENDING_MAX))
        .path("items")
        .forEach(items::add);
    return items;
  }

  /** By namespace, and of runs by pipeline and state. */
  private String paged(String path, @Nullable String pipeline) {
    Map<String, @Nullable String> filter = new LinkedHashMap<>();
    filter.put("namespace", namespace);
    filter.put("pipeline", pipeline);
    filter.put("state", states == null ? null : states.get(0));
    filter.put("limit", Integer.toString(limit.page()));
    return ServerClient.query(path, filter);
  }

  private String ofJob(ServerClient client, String what) {
    if (name == null) {
      throw new ClientException("of which job? sluice get " + what + " JOB");
    }
    String id = new JobLookup(client, namespace).find(name).path("id").asText();
    return "/v1/jobs/" + id + "/" + what;
  }

  private String jobsPath() {
    Map<String, @Nullable String> filter = new LinkedHashMap<>();
    filter.put("namespace", namespace);
    filter.put("queue", queue);
    filter.put("limit", Integer.toString(limit.page()));
    StringBuilder path = new StringBuilder(ServerClient.query("/v1/jobs", filter));
    if (states != null) {
      states.forEach(state -> path.append("&state=").append(ServerClient.encode(state)));
    }
    if (held) {
      path.append("&held=true");
    }
    if (labels != null) {
      labels.forEach(label -> path.append("&label=").append(ServerClient.encode(label)));
    }
    return path.toString();
  }
}
