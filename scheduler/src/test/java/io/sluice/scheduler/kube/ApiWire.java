// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.kube;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A proxy to the API server of a control plane. A test can watch each request, hold it or its
 * answer, answer it itself, or cut all connections. Clients connect without TLS, by {@link
 * #kubeconfig}, which has the token of the shipped account.
 */
public final class ApiWire implements AutoCloseable {
  private static final int HEAD_MAX = 64 * 1024;

  /** A refusal in the form of an API server's. */
  private static final String STATUS =
      """
      {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"%s",\
      "reason":"%s","code":%d}""";

  private final ServerSocket entrance;
  private final ApiDoor door;
  private final Path folder = Files.createTempDirectory("sluice-wire-");
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final List<Rule> rules = new CopyOnWriteArrayList<>();
  private final List<Request> seen = new CopyOnWriteArrayList<>();
  private volatile boolean parted;
  private volatile boolean saidTooOld;

  /** Starts a proxy to the first cluster of a kubeconfig. */
  public static ApiWire to(ControlPlane plane) throws IOException {
    return new ApiWire(ApiDoor.of(plane.kubeconfig()));
  }

  private ApiWire(ApiDoor door) throws IOException {
    this.door = door;
    this.entrance = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    run("wire", this::accept);
  }

  /**
   * A request without its body.
   *
   * @param path path and query
   */
  public record Request(String method, String path) {
    /** Whether it has that method and concerns that kind, by its plural. */
    public boolean is(String wanted, String plural) {
      return method.equals(wanted) && path.matches(".*/" + plural + "([/?].*)?");
    }

    /** Whether it is a watch. */
    public boolean watches() {
      return method.equals("GET") && path.contains("watch=");
    }
  }

  /** An intervention for matching requests, until it is closed. */
  public final class Rule implements AutoCloseable {
    private final Predicate<Request> of;
    private final String answer;
    private final boolean before;
    private final CountDownLatch met = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final CompletableFuture<Integer> status = new CompletableFuture<>();

    private Rule(Predicate<Request> of, String answer, boolean before) {
      this.of = of;
      this.answer = answer;
      this.before = before;
      rules.add(this);
    }

    /** Waits until a matching request has come. */
    public void awaitMet() throws InterruptedException {
      if (!met.await(ControlPlane.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("there is no such request; the last are " + last());
      }
    }

    private List<Request> last() {
      List<Request> all = List.copyOf(seen);
      return all.subList(Math.max(0, all.size() - 20), all.size());
    }

    /** Waits for the API server's status code, such as 201, for the first request held. */
    public int awaitStatus() throws Exception {
      return status.get(ControlPlane.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    /** Ends the intervention: held requests and answers continue. */
    @Override
    public void close() {
      rules.remove(this);
      ended.countDown();
    }
  }

  /** Holds matching requests before the API server receives them. */
  public Rule hold(Predicate<Request> of) {
    return new Rule(of, "", true);
  }

  /** Holds the answers to matching requests, which the API server has executed. */
  public Rule holdAnswer(Predicate<Request> of) {
    return new Rule(of, "", false);
  }

  /** Answers matching requests itself, so the API server does not receive them. */
  public Rule refuse(Predicate<Request> of, int code, String reason, String message) {
    String body = STATUS.formatted(message, reason, code);
    return new Rule(
        of,
        "HTTP/1.1 %d %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
            .formatted(code, reason, body.getBytes(StandardCharsets.UTF_8).length, body),
        true);
  }

  /** Returns the number of matching requests so far. */
  public long count(Predicate<Request> of) {
    return seen.stream().filter(of).count();
  }

  /** Forgets the requests so far. */
  public void forget() {
    seen.clear();
  }

  /** Returns the requests, in order. */
  public List<Request> requests() {
    return List.copyOf(seen);
  }

  /** Whether the API server has answered a watch with "too old resource version". */
  public boolean saidTooOld() {
    return saidTooOld;
  }

  /** Returns a kubeconfig for the proxy; its one context has the name of the real one. */
  public Path kubeconfig() throws IOException {
    return Files.writeString(folder.resolve("kubeconfig"), context(door.context()));
  }

  /** Returns a kubeconfig with one context of that name. */
  public String context(String name) {
    return kubeconfig(List.of(name), List.of(this));
  }

  /** Returns a kubeconfig with several contexts, each for its own proxy. */
  public static String kubeconfig(List<String> names, List<ApiWire> ways) {
    List<String> clusters = new ArrayList<>();
    List<String> contexts = new ArrayList<>();
    List<String> users = new ArrayList<>();
    for (int at = 0; at < names.size(); at++) {
      String name = names.get(at);
      int port = ways.get(at).entrance.getLocalPort();
      clusters.add("{name: %s, cluster: {server: 'http://127.0.0.1:%d'}}".formatted(name, port));
      contexts.add("{name: %1$s, context: {cluster: %1$s, user: %1$s}}".formatted(name));
      users.add("{name: %s, user: {token: '%s'}}".formatted(name, ways.get(at).door.token()));
    }
    return """
    apiVersion: v1
    kind: Config
    clusters: %s
    users: %s
    contexts: %s
    current-context: %s
    """
        .formatted(clusters, users, contexts, names.get(0));
  }

  private static void run(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!entrance.isClosed()) {
      try {
        Socket client = entrance.accept();
        if (parted) {
          client.close();
        } else {
          open.add(client);
          run("wire-there", () -> carry(client));
        }
      } catch (IOException refused) {
        // The connection is refused; the next may be accepted.
      }
    }
  }

  /** Forwards one request of a connection and closes it, so that clients reconnect. */
  private void carry(Socket client) {
    try (client) {
      client.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(client.getInputStream());
      byte[] head = head(in);
      if (head.length == 0) {
        return;
      }
      String text = new String(head, StandardCharsets.ISO_8859_1);
      int space = text.indexOf(' ');
      Request request =
          new Request(text.substring(0, space), text.substring(space + 1, text.indexOf(" HTTP/")));
      seen.add(request);
      byte[] body = body(in, text);
      Rule rule = rule(request);
      if (rule != null && rule.before) {
        rule.met.countDown();
        if (!rule.answer.isEmpty()) {
          client.getOutputStream().write(rule.answer.getBytes(StandardCharsets.UTF_8));
          return;
        }
        rule.ended.await();
      }
      pass(text, body, client, in, rule);
    } catch (IOException cut) {
      // Both ends are closed now.
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(client);
    }
  }

  private void pass(String head, byte[] body, Socket client, InputStream more, @Nullable Rule held)
      throws IOException, InterruptedException {
    try (Socket far = door.connect()) {
      open.add(far);
      boolean upgrades = head.toLowerCase(java.util.Locale.ROOT).contains("\r\nupgrade: websocket");
      OutputStream out = far.getOutputStream();
      out.write((upgrades ? head : closing(head)).getBytes(StandardCharsets.ISO_8859_1));
      out.write(body);
      out.flush();
      if (upgrades) {
        run("wire-on", () -> forward(more, far));
      }
      if (held != null) {
        byte[] answer = far.getInputStream().readAllBytes();
        String line = new String(answer, 0, Math.min(answer.length, 16), StandardCharsets.US_ASCII);
        int space = line.indexOf(' ');
        held.status.complete(Integer.parseInt(line.substring(space + 1, space + 4)));
        held.met.countDown();
        held.ended.await();
        client.getOutputStream().write(answer);
      } else {
        answer(far.getInputStream(), client.getOutputStream());
      }
      open.remove(far);
    }
  }

  private @Nullable Rule rule(Request request) {
    return rules.stream().filter(rule -> rule.of.test(request)).findFirst().orElse(null);
  }

  private void answer(InputStream from, OutputStream to) throws IOException {
    byte[] buffer = new byte[16 * 1024];
    for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
      String text = new String(buffer, 0, read, StandardCharsets.ISO_8859_1);
      saidTooOld |= text.contains("too old resource version");
      to.write(buffer, 0, read);
      to.flush();
    }
  }

  private static void forward(InputStream from, Socket to) {
    try {
      from.transferTo(to.getOutputStream());
    } catch (IOException cut) {
      // The thread that answers sees the failure too.
    }
  }

  private static String closing(String head) {
    String without = head.replaceAll("(?i)\r\nConnection: [^\r]*", "");
    without = without.replaceAll("(?i)\r\n(Upgrade|HTTP2-Settings): [^\r]*", "");
    return without.substring(0, without.length() - 2) + "Connection: close\r\n\r\n";
  }

  private static byte[] head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    int ends = 0;
    while (ends < 4 && head.size() < HEAD_MAX) {
      int next = in.read();
      if (next < 0) {
        return new byte[0];
      }
      head.write(next);
      boolean expected = next == (ends % 2 == 0 ? '\r' : '\n');
      ends = expected ? ends + 1 : next == '\r' ? 1 : 0;
    }
    return head.toByteArray();
  }

  /** Reads a body as it came, chunked or not. */
  private static byte[] body(InputStream in, String head) throws IOException {
    String lower = head.toLowerCase(java.util.Locale.ROOT);
    int length = lower.indexOf("\r\ncontent-length: ");
    if (length >= 0) {
      int from = length + "\r\ncontent-length: ".length();
      return in.readNBytes(
          Integer.parseInt(lower.substring(from, lower.indexOf('\r', from)).strip()));
    }
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    if (lower.contains("\r\ntransfer-encoding: chunked")) {
      while (!body.toString(StandardCharsets.ISO_8859_1).endsWith("0\r\n\r\n")) {
        body.write(in.read());
      }
    }
    return body.toByteArray();
  }

  /** Cuts all connections, and refuses new ones. */
  public void part() throws IOException {
    parted = true;
    for (Socket socket : open) {
      socket.close();
    }
    open.clear();
  }

  /** Accepts connections again. */
  public void heal() {
    parted = false;
  }

  @Override
  public void close() throws IOException {
    entrance.close();
    rules.forEach(Rule::close);
    part();
    Files.deleteIfExists(folder.resolve("kubeconfig"));
    Files.delete(folder);
  }
}
