// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real Kubernetes control plane on loopback: etcd, API server, controllers, scheduler, and kwok,
 * which simulates nodes. All tests of a run share it; it ends with the run. If the environment
 * variable {@code SLUICE_TEST_KUBECONFIG} names a kubeconfig, tests use that cluster and leave it
 * running; they read no other kubeconfig.
 *
 * <p>A pod runs forever unless its first image is {@code ends:TIME}, {@code fails:TIME} (code 3) or
 * {@code oom:TIME}, where TIME is such as {@code 2s}.
 */
public final class ControlPlane {
  /** Generous: reached only if something hangs. */
  public static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final Path TOOLS =
      Path.of(System.getProperty("sluice.kube.tools", "../../shared/tools/kube"));
  private static final Path HOME =
      Path.of(
          System.getenv()
              .getOrDefault("KUBE_HOME", System.getProperty("user.home") + "/.cache/sluice-kube"));
  // Kept, because the garbage collector closes an unreferenced channel, which releases its lock.
  private static final Map<String, FileChannel> OWN = new HashMap<>();
  private static final ObjectMapper JSON = new ObjectMapper();
  private static @Nullable ControlPlane running;

  /** Kubeconfig of the administrator, which tests use. */
  private final Path administrator;

  private final @Nullable Path run;

  /** Kubeconfig of the shipped account, which servers under test use. */
  private @Nullable Path account;

  /** kubectl's cache of kinds; that of an earlier control plane would be wrong. */
  private final Path cache;

  private List<String> apiServer = List.of();
  private boolean likeGke;

  private ControlPlane(Path kubeconfig, @Nullable Path run) throws IOException {
    this.cache = Files.createTempDirectory("sluice-kubectl-");
    this.administrator = kubeconfig;
    this.run = run;
  }

  /** Returns the control plane of this run; starts it at the first call. */
  public static synchronized ControlPlane shared() {
    if (running == null) {
      try {
        String named = System.getenv("SLUICE_TEST_KUBECONFIG");
        ControlPlane plane = named == null ? start() : new ControlPlane(Path.of(named), null);
        plane.account = ShippedAccount.install(plane);
        running = plane;
      } catch (IOException | InterruptedException failure) {
        throw new AssertionError("no control plane", failure);
      }
    }
    return running;
  }

  private static ControlPlane start() throws IOException, InterruptedException {
    Path run = own("sluice-kube-run");
    ControlPlane plane = new ControlPlane(run.resolve("kubeconfig"), run);
    plane.script("down.sh", "wipe");
    Runtime.getRuntime().addShutdownHook(new Thread(plane::end));
    PodStages.write(HOME.resolve("manifests"), run.resolve("crds"));
    // An operator that starts before its kinds are served exits after two minutes.
    plane.script("up.sh", "core");
    for (String kinds : List.of("jobset", "ray")) {
      plane.kubectl("apply", "--server-side", "-f", run.resolve("crds").resolve(kinds).toString());
    }
    plane.kubectl("wait", "--for=condition=Established", "crd", "--all", "--timeout=60s");
    plane.script("down.sh", "");
    plane.script("up.sh", "all");
    for (String kind : List.of("jobsets.jobset.x-k8s.io", "rayjobs.ray.io", "rayclusters.ray.io")) {
      Instant deadline = Instant.now().plus(PATIENCE);
      while (!plane.answers("get", kind, "-A")) {
        if (Instant.now().isAfter(deadline)) {
          throw new AssertionError(kind + " are not served");
        }
        pause();
      }
    }
    return plane;
  }

  /**
   * Reserves a state directory for this process: control planes of two processes would share ports.
   */
  private static synchronized Path own(String name) throws IOException {
    Path run = Path.of(System.getProperty("java.io.tmpdir")).resolve(name);
    if (!OWN.containsKey(name)) {
      FileChannel lock =
          FileChannel.open(
              run.resolveSibling(name + ".lock"),
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE);
      lock.lock();
      OWN.put(name, lock);
    }
    return run;
  }

  /** Starts a separate one for tests that play the nodes: etcd and API server only. */
  public static ControlPlane bare() {
    try {
      Path run = own("sluice-kube-bare");
      ControlPlane plane = new ControlPlane(run.resolve("kubeconfig"), run);
      plane.script("down.sh", "wipe");
      Runtime.getRuntime().addShutdownHook(new Thread(plane::end));
      plane.script("up.sh", "core");
      plane.account = ShippedAccount.install(plane);
      return plane;
    } catch (IOException | InterruptedException failure) {
      throw new AssertionError("no control plane", failure);
    }
  }

  private void end() {
    try {
      script("down.sh", "wipe");
    } catch (IOException | InterruptedException failure) {
      System.err.println("the control plane was not ended: " + failure);
    }
  }

  private void script(String name, String argument) throws IOException, InterruptedException {
    Path state = run;
    if (state == null) {
      throw new IllegalStateException("the cluster is somebody else's");
    }
    Files.createDirectories(state);
    Path printed = state.resolve(name + ".out");
    ProcessBuilder builder =
        new ProcessBuilder(TOOLS.toRealPath().resolve(name).toString(), argument)
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile());
    builder.environment().put("KUBE_HOME", HOME.toString());
    builder.environment().put("RUN", state.toString());
    builder.environment().put("CRDS", state.resolve("crds").toString());
    if (state.endsWith("sluice-kube-bare")) {
      builder.environment().put("API_PORT", "16543");
      builder.environment().put("ETCD_PORT", "23890");
    }
    int code = builder.start().waitFor();
    if (code != 0) {
      throw new AssertionError(name + " ended with " + code + ": " + Files.readString(printed));
    }
  }

  /** Returns the kubeconfig for servers under test, with the shipped account. */
  public Path kubeconfig() {
    Path file = account;
    if (file == null) {
      throw new IllegalStateException("the shipped account is not installed");
    }
    return file;
  }

  /** Returns the kubeconfig for tests, with the administrator. */
  public Path administrator() {
    return administrator;
  }

  /** Grants the shipped account the rights to run jobs in a namespace. */
  public void bind(String namespace) throws IOException {
    ShippedAccount.bind(this, namespace);
  }

  /**
   * Grants the shipped account the rights to run jobs in all namespaces, and to create
   * cluster-scoped objects.
   */
  public void bindEverywhere() throws IOException {
    ShippedAccount.bindEverywhere(this);
  }

  /** Revokes these rights. */
  public void unbindEverywhere() throws IOException {
    ShippedAccount.unbindEverywhere(this);
  }

  /** Revokes the rights in a namespace. */
  public void unbind(String namespace) throws IOException {
    ShippedAccount.unbind(this, namespace);
  }

  /** Runs kubectl, which must succeed, and returns its output. */
  public String kubectl(String... arguments) {
    return kubectlWith("", arguments);
  }

  /** Starts kubectl with its output in a file, until the process is ended. */
  public Process begin(Path printed, String... arguments) throws IOException {
    return new ProcessBuilder(command(arguments))
        .redirectErrorStream(true)
        .redirectOutput(printed.toFile())
        .start();
  }

  private List<String> command(String... arguments) {
    List<String> command = new ArrayList<>(List.of(HOME.resolve("bin/kubectl").toString()));
    command.add("--kubeconfig=" + administrator);
    command.add("--cache-dir=" + cache);
    command.addAll(List.of(arguments));
    return command;
  }

  /** Runs kubectl as {@link #kubectl} does, with a standard input. */
  public String kubectlWith(String input, String... arguments) {
    try {
      List<String> command = command(arguments);
      Path given = Files.writeString(Files.createTempFile("sluice-kubectl-", ".in"), input);
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectInput(given.toFile())
              .start();
      String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = process.waitFor();
      Files.delete(given);
      if (code != 0) {
        throw new AssertionError(
            String.join(" ", command) + " ended with " + code + ": " + printed);
      }
      return printed;
    } catch (IOException | InterruptedException failure) {
      throw new AssertionError("kubectl", failure);
    }
  }

  /**
   * Creates objects of a kind, several at a time; faster than kubectl.
   *
   * @param path API path of the kind's objects
   */
  public void create(String path, List<String> objects) throws IOException, InterruptedException {
    ApiDoor.of(administrator).create(path, objects);
  }

  /** Applies a manifest. */
  public void apply(String manifest) {
    kubectlWith(manifest, "apply", "--server-side", "-f", "-");
  }

  /** Lists the objects of a kind in all namespaces by a label selector. */
  public List<JsonNode> list(String kind, String selector) {
    try {
      JsonNode root =
          JSON.readTree(kubectl("get", kind, "-A", "--selector=" + selector, "-o", "json"));
      List<JsonNode> items = new ArrayList<>();
      root.path("items").forEach(items::add);
      return items;
    } catch (IOException unreadable) {
      throw new AssertionError(unreadable);
    }
  }

  /** Waits until the objects of a kind satisfy a condition; returns them. */
  public List<JsonNode> await(String kind, String selector, Predicate<List<JsonNode>> expected) {
    Instant deadline = Instant.now().plus(PATIENCE);
    List<JsonNode> found = list(kind, selector);
    while (!expected.test(found)) {
      if (Instant.now().isAfter(deadline)) {
        throw new AssertionError(kind + " " + selector + " stay " + found);
      }
      pause();
      found = list(kind, selector);
    }
    return found;
  }

  /** Pauses between two polls. */
  static void pause() {
    try {
      Thread.sleep(100);
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  /**
   * Adds a GKE node pool that is one slice: nodes {@code POOL-0} and so on, with four chips each.
   *
   * @param accelerator value of GKE's label
   */
  public void addSlice(String pool, String accelerator, String topology, int hosts) {
    addSlice(pool, accelerator, topology, hosts, "");
  }

  /**
   * Adds a slice as {@link #addSlice(String, String, String, int)} does.
   *
   * @param more further labels of its nodes, as the inside of a YAML flow map
   */
  public void addSlice(String pool, String accelerator, String topology, int hosts, String more) {
    StringBuilder nodes = new StringBuilder();
    for (int host = 0; host < hosts; host++) {
      nodes.append(
          node(
              pool + "-" + host,
              """
              cloud.google.com/gke-nodepool: %s,
              cloud.google.com/gke-tpu-accelerator: %s,
              cloud.google.com/gke-tpu-topology: %s\
              """
                      .formatted(pool, accelerator, topology)
                      .replace("\n", " ")
                  + (more.isEmpty() ? "" : ", " + more),
              ", google.com/tpu: 4"));
    }
    apply(nodes.toString());
  }

  /** Adds a node without accelerators. */
  public void addNode(String name, String labels) {
    apply(node(name, labels, ""));
  }

  private String node(String name, String labels, String devices) {
    boolean tainted = likeGke && !devices.isEmpty();
    return """
    ---
    apiVersion: v1
    kind: Node
    metadata:
      name: %1$s
      annotations: {kwok.x-k8s.io/node: fake}
      labels: {kubernetes.io/hostname: %1$s%2$s}
    spec: {taints: [%4$s]}
    status:
      allocatable: {cpu: 32, memory: 256Gi, pods: 110%3$s}
      capacity: {cpu: 32, memory: 256Gi, pods: 110%3$s}
    """
        .formatted(
            name,
            labels.isEmpty() ? "" : ", " + labels,
            devices,
            tainted ? "{key: google.com/tpu, value: present, effect: NoSchedule}" : "");
  }

  /** Deletes the tests' objects and all nodes. */
  public void clear() {
    for (String kind :
        List.of(
            "jobsets.jobset.x-k8s.io",
            "rayjobs.ray.io",
            "rayclusters.ray.io",
            "jobs",
            "pods",
            "nodes")) {
      boolean inNamespaces = !kind.equals("nodes");
      List<String> command = new ArrayList<>(List.of("delete", kind, "--all", "--wait=true"));
      if (inNamespaces) {
        command.add("-A");
      }
      kubectl(command.toArray(String[]::new));
    }
  }

  /**
   * Configures the cluster like GKE: the API server admits privileged pods, and TPU nodes have a
   * taint against pods without TPUs.
   */
  public void beLikeGke() throws IOException, InterruptedException {
    if (!likeGke && run != null) {
      likeGke = true;
      killApiServer();
      apiServer = new ArrayList<>(apiServer);
      apiServer.add("--allow-privileged=true");
      apiServer.add("--enable-admission-plugins=ExtendedResourceToleration");
      restartApiServer();
    }
  }

  /** Kills the API server, as a failure of its machine would. */
  public void killApiServer() throws IOException, InterruptedException {
    long pid = Long.parseLong(Files.readString(pidFile("kube-apiserver")).strip());
    ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
    apiServer =
        List.of(
            Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"))
                .split("\0"));
    process.destroyForcibly();
    while (isRunning(process.pid())) {
      pause();
    }
  }

  /** Whether a process runs; a zombie does not. */
  private static boolean isRunning(long pid) throws IOException {
    Path status = Path.of("/proc", Long.toString(pid), "stat");
    try {
      return !Files.readString(status).contains(") Z ");
    } catch (java.nio.file.NoSuchFileException gone) {
      return false;
    }
  }

  private Path pidFile(String program) {
    if (run == null) {
      throw new IllegalStateException("the cluster is somebody else's");
    }
    return run.resolve("pid").resolve(program + ".pid");
  }

  /** Has one of its programs stand still until what is returned is closed. */
  public Closeable paused(String program) throws IOException {
    long pid = Long.parseLong(Files.readString(pidFile(program)).strip());
    Signals.send("STOP", pid);
    return () -> Signals.send("CONT", pid);
  }

  /** Starts it again and waits until it answers. */
  public void restartApiServer() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("setsid"));
    command.addAll(apiServer);
    command.set(1, HOME.resolve("bin/kube-apiserver").toString());
    Instant deadline = Instant.now().plus(PATIENCE);
    Process process = startApiServer(command);
    while (!answers("get", "--raw", "/readyz")) {
      if (Instant.now().isAfter(deadline)) {
        throw new AssertionError("the API server does not come back");
      }
      if (!process.isAlive()) {
        // Threads of the one that was killed may have its port for a moment after it is over.
        process = startApiServer(command);
      }
      pause();
    }
  }

  private Process startApiServer(List<String> command) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .directory(run == null ? null : run.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    // setsid goes on as the program itself unless it leads a group, which a child does not.
    Files.writeString(pidFile("kube-apiserver"), Long.toString(process.pid()));
    return process;
  }

  boolean answers(String... arguments) {
    try {
      kubectl(arguments);
      return true;
    } catch (AssertionError notYet) {
      return false;
    }
  }

  /** Returns the names of the pods' nodes. */
  public static List<String> nodes(List<JsonNode> pods) {
    return pods.stream()
        .map(pod -> pod.at("/spec/nodeName").asText())
        .filter(name -> !name.isEmpty())
        .sorted()
        .toList();
  }

  /** Returns the pods that have not ended and are not being deleted. */
  public static Stream<JsonNode> live(List<JsonNode> pods) {
    return pods.stream()
        .filter(pod -> !pod.at("/metadata").has("deletionTimestamp"))
        .filter(pod -> pod.at("/status/phase").asText().equals("Running"));
  }
}
