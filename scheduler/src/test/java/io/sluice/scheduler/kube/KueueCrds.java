// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.kube;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Kueue's own CRDs of the release whose schema is read here, out of its Go module. */
public final class KueueCrds {
  private static final String MODULE = "sigs.k8s.io/kueue@v0.19.0";

  /** Generous: reached only if something hangs. */
  private static final int LOOKS_MAX = 600;

  private final ControlPlane plane;
  private final Path folder;

  private KueueCrds(ControlPlane plane, Path folder) {
    this.plane = plane;
    this.folder = folder;
  }

  /** Finds them; where there is no Go, or no module, the test is skipped and says so. */
  public static KueueCrds of(ControlPlane plane) throws InterruptedException {
    String module = "";
    try {
      Process go = new ProcessBuilder("go", "mod", "download", "-json", MODULE).start();
      String said = new String(go.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      go.waitFor();
      module = new ObjectMapper().readTree(said).path("Dir").asText("");
    } catch (IOException noGo) {
      Assumptions.abort("no Kueue: " + noGo.getMessage());
    }
    Assumptions.assumeFalse(module.isEmpty(), "go mod download has no " + MODULE);
    return new KueueCrds(plane, Path.of(module, "config/components/crd/bases"));
  }

  /** Installs all of them and waits until they are served. */
  public void install() {
    plane.kubectl("apply", "--server-side", "--force-conflicts", "-f", folder.toString());
    plane.kubectl("wait", "--for=condition=Established", "--timeout=60s", "-f", folder.toString());
  }

  /** Takes one of them away, with all objects of its kind. */
  public void remove(String plural) {
    plane.kubectl("delete", "crd", plural + ".kueue.x-k8s.io", "--ignore-not-found");
    awaitGone("/apis/kueue.x-k8s.io/v1beta2", "\"" + plural + "\"");
  }

  /** Takes all of them away. */
  public void remove() {
    plane.kubectl("delete", "--ignore-not-found", "-f", folder.toString());
    awaitGone("/apis", "\"kueue.x-k8s.io\"");
  }

  /** What the API server says that it has changes a moment after it is so. */
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
