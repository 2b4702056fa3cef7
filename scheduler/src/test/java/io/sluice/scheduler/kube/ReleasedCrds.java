// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.kube;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The CRDs of a release of another project, from its Go module. */
public final class ReleasedCrds {
  /** Generous: reached only if something hangs. */
  private static final int LOOKS_MAX = 600;

  private final ControlPlane plane;
  private final String apiVersion;
  private final Path folder;

  private ReleasedCrds(ControlPlane plane, String apiVersion, Path folder) {
    this.plane = plane;
    this.apiVersion = apiVersion;
    this.folder = folder;
  }

  /** Finds the CRDs of Kueue, of the release whose schema Sluice reads. */
  public static ReleasedCrds ofKueue(ControlPlane plane) throws InterruptedException {
    return of(
        plane,
        "kueue.x-k8s.io/v1beta2",
        "sigs.k8s.io/kueue@v0.19.0",
        "config/components/crd/bases");
  }

  /** Finds the CRDs of Kubeflow's Trainer. */
  public static ReleasedCrds ofTrainer(ControlPlane plane) throws InterruptedException {
    return of(
        plane,
        "trainer.kubeflow.org/v1alpha1",
        "github.com/kubeflow/trainer/v2@v2.1.0",
        "manifests/base/crds");
  }

  /** Finds CRDs; skips the test with a message if there is no Go or no module. */
  private static ReleasedCrds of(
      ControlPlane plane, String apiVersion, String module, String folder)
      throws InterruptedException {
    String found = "";
    try {
      Process go = new ProcessBuilder("go", "mod", "download", "-json", module).start();
      String said = new String(go.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      go.waitFor();
      found = new ObjectMapper().readTree(said).path("Dir").asText("");
    } catch (IOException noGo) {
      Assumptions.abort("no " + module + ": " + noGo.getMessage());
    }
    Assumptions.assumeFalse(found.isEmpty(), "go mod download has no " + module);
    return new ReleasedCrds(plane, apiVersion, Path.of(found, folder));
  }

  /** Installs all CRDs and waits until the API server serves them. */
  public void install() {
    kubectl("apply", "--server-side", "--force-conflicts");
    kubectl("wait", "--for=condition=Established", "--timeout=60s");
  }

  /** Deletes one CRD, with all objects of its kind. */
  public void remove(String plural) {
    plane.kubectl("delete", "crd", plural + "." + group(), "--ignore-not-found");
    awaitGone("/apis/" + apiVersion, "\"" + plural + "\"");
  }

  /** Deletes all CRDs. */
  public void remove() {
    kubectl("delete", "--ignore-not-found");
    awaitGone("/apis", "\"" + group() + "\"");
  }

  private String group() {
    return apiVersion.substring(0, apiVersion.indexOf('/'));
  }

  /** Runs kubectl on the files with CRDs. */
  private void kubectl(String... arguments) {
    List<String> command = new ArrayList<>(List.of(arguments));
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        if (!file.endsWith("kustomization.yaml")) {
          command.add("--filename=" + file);
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    String unused = plane.kubectl(command.toArray(String[]::new));
  }

  /** Waits until API discovery no longer shows the kind, which lags behind the deletion. */
  private void awaitGone(String path, String word) {
    for (int look = 0; look < LOOKS_MAX; look++) {
      if (!plane.kubectl("get", "--raw", path).contains(word)) {
        return;
      }
      ControlPlane.pause();
    }
    throw new AssertionError(word + " is still at " + path);
  }
}
