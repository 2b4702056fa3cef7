// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.process.Caller.Reply;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** No caller takes up what others need, whether by many requests, large ones or unfinished ones. */
class BoundsIT {
  private static final int LOG_READERS = 32;
  private static final int BODY_BYTES = 8 << 20;

  private static OneServer server;
  private static Caller caller;

  @BeforeAll
  static void start() throws Exception {
    server = OneServer.start();
    caller = server.caller();
  }

  @AfterAll
  static void end() throws Exception {
    server.close();
  }

  @Test
  void headersOfLogsOccupyNoReader() throws Exception {
    String id = caller.submit(OneServer.job("talks", 1, "echo here"));
    caller.awaitState(id, "SUCCEEDED");
    String logs = "/v1/jobs/" + id + "/logs";
    for (int asked = 0; asked < 2 * LOG_READERS; asked++) {
      caller.ask("HEAD", logs, BodyPublishers.noBody()).is(200);
    }
    assertThat(caller.get(logs).is(200).text()).contains("here");
  }

  @Test
  void readersThatLeaveASilentJobMakeRoomForOthers() throws Exception {
    String id = caller.submit(OneServer.job("silent", 1, "echo begun; sleep 600"));
    caller.awaitState(id, "RUNNING");
    List<Socket> readers = new ArrayList<>();
    for (int number = 0; number < LOG_READERS; number++) {
      readers.add(send("GET", "/v1/jobs/" + id + "/logs?follow=true", OneServer.token("viewer")));
    }
    for (Socket reader : readers) {
      assertThat(statusLine(reader)).contains(" 200 ");
    }
    caller.get("/v1/jobs/" + id + "/logs").is(503);
    for (Socket reader : readers) {
      reader.close();
    }
    caller.await("/v1/jobs/" + id + "/logs", reply -> reply.status() == 200);
    caller.cancel(id);
  }

  @Test
  void aCallerWithoutATokenIsRefusedBeforeItsBody() throws Exception {
    for (String header : List.of("Content-Length: " + BODY_BYTES, "Transfer-Encoding: chunked")) {
      for (String token : List.of("", "nobody's")) {
        // Nothing of the body is ever sent.
        try (Socket socket = send("POST", "/v1/jobs", token, header)) {
          assertThat(statusLine(socket)).contains(" 401 ");
        }
      }
    }
    Reply unknown = caller.as("").post("/v1/jobs", "x".repeat(BODY_BYTES / 2)).is(401);
    assertThat(unknown.header("WWW-Authenticate")).isEqualTo("Bearer");
    assertThat(unknown.at("/title")).isEqualTo("Unauthorized");
  }

  /** Sends the head of a request and nothing else. */
  private static Socket send(String method, String path, String token, String... headers)
      throws Exception {
    URI url = URI.create(caller.url());
    Socket socket = new Socket(url.getHost(), url.getPort());
    socket.setSoTimeout((int) StartedServer.PATIENCE.toMillis());
    StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
    head.append("Host: ").append(url.getAuthority()).append("\r\n");
    if (!token.isEmpty()) {
      head.append("Authorization: Bearer ").append(token).append("\r\n");
    }
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    OutputStream out = socket.getOutputStream();
    out.write(head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
    out.flush();
    return socket;
  }

  private static String statusLine(Socket socket) throws Exception {
    return String.valueOf(
        new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
            .readLine());
  }

  @Test
  void aPageFarBehindInAQueueNamesTheRightPlaces() throws Exception {
    caller
        .post(
            "/v1/apply",
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: ClusterQueue
            metadata: {name: far}
            spec:
              namespaceSelector: {}
              resourceGroups:
              - coveredResources: [cpu]
                flavors: [{name: cpu, resources: [{name: cpu, nominalQuota: 0}]}]
            ---
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: LocalQueue
            metadata: {name: far, namespace: team}
            spec: {clusterQueue: far}
            """)
        .is(200);
    // More places than are walked at once.
    String held =
        String.join(
            "---\n",
            IntStream.range(0, 600)
                .mapToObj(
                    number -> OneServer.job("far-" + number, 1, "true").replace("main", "far"))
                .toList());
    caller.post("/v1/jobs/bulk", held).is(201);
    caller.post("/v1/jobs/bulk", held).is(201);
    String pending = "/apis/visibility.kueue.x-k8s.io/v1beta2/clusterqueues/far/pendingworkloads";
    caller.await(pending + "?offset=1199", reply -> reply.each("/items", "uid").size() == 1);
    Reply last = caller.get(pending + "?offset=1190&limit=100").is(200);
    assertThat(last.each("/items", "positionInClusterQueue"))
        .containsExactlyElementsOf(
            IntStream.range(1190, 1200).mapToObj(Integer::toString).toList());
    assertThat(caller.get(pending + "?offset=2000000000").is(200).json().at("/items")).isEmpty();
  }
}
