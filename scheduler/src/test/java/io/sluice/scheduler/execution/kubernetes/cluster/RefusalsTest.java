// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.scheduler.execution.StartBlocker;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException.Reason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The messages are those of API servers and of the webhooks that JobSet and others ship. */
class RefusalsTest {
  private static ClusterException of(int code, String message, boolean creates) {
    var status = new StatusBuilder().withCode(code).withMessage(message).build();
    return Refusals.of("here", new KubernetesClientException(status), creates);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          403 | jobs.batch is forbidden: User "x" cannot create resource "jobs" in API group "batch" in the namespace "a" | NOT_PERMITTED
          403 | jobs.batch "x" is forbidden: exceeded quota: q, requested: count/jobs.batch=1, used: 0, limited: 0 | NAMESPACE_QUOTA
          403 | jobs.batch "x" is forbidden: unable to create new content in namespace a because it is being terminated | NAMESPACE_TERMINATING
          403 | pods "x" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true | ADMISSION_DENIED
          403 | admission webhook "validation.gatekeeper.sh" denied the request: no owner | ADMISSION_DENIED
          422 | jobs.batch "x" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no owner | ADMISSION_DENIED
          400 | admission webhook "mutate.kyverno.svc" denied the request: no owner | ADMISSION_DENIED
          500 | Internal error occurred: failed calling webhook "vjobset.kb.io": connection refused | WEBHOOK_UNAVAILABLE
          503 | the server is currently unable to handle the request | CLUSTER_UNREACHABLE
          """)
  void aRefusalThatIsTheClustersNamesABlockerAndFailsNoJob(
      int code, String message, StartBlocker blocker) {
    for (boolean creates : new boolean[] {true, false}) {
      ClusterException refusal = of(code, message, creates);
      assertThat(refusal.reason()).isIn(Reason.REFUSED, Reason.AWAY);
      assertThat(refusal.waiting().blocker()).isEqualTo(blocker);
      assertThat(refusal.text()).isEqualTo("cluster here: " + message);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          422 | Job.batch "x" is invalid: spec.template.spec.containers[0].image: Required value
          400 | Job in version "v1" cannot be handled as a Job: strict decoding error
          403 | admission webhook "vjobset.kb.io" denied the request: spec.replicatedJobs: duplicate name
          """)
  void anInvalidObjectIsTheJobsAndAnEditOfAValidOneIsNot(int code, String message) {
    assertThat(of(code, message, true).reason()).isEqualTo(Reason.INVALID);
    assertThat(of(code, message, true).waiting().blocker()).isNull();
    ClusterException edit = of(code, message, false);
    assertThat(edit.reason()).isEqualTo(Reason.REFUSED);
    assertThat(edit.waiting().blocker()).isEqualTo(StartBlocker.EDIT_REFUSED);
  }

  @Test
  void aRequestThatNobodyAnswersIsNoAnswer() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl("http://127.0.0.1:" + port)
            .withRequestRetryBackoffLimit(0)
            .build();
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
      assertThatThrownBy(() -> client.raw("/api/v1/pods", "GET", null))
          .satisfies(failure -> assertThat(Refusals.isNoAnswer(failure)).isTrue());
    }
    var refusal = new StatusBuilder().withCode(403).withMessage("no").build();
    assertThat(Refusals.isNoAnswer(new KubernetesClientException(refusal))).isFalse();
  }

  @Test
  void aPauseDoublesUpToItsBound() {
    RetryPause pause = new RetryPause(Duration.ofSeconds(1));
    Duration most = Duration.ofSeconds(5);
    assertThat(Stream.generate(() -> pause.take(most).toSeconds()).limit(5).toList())
        .containsExactly(1L, 2L, 4L, 5L, 5L);
    pause.reset();
    assertThat(pause.take(most)).isEqualTo(Duration.ofSeconds(1));
  }
}
