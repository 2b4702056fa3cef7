// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.kube;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;

/**
 * The ServiceAccount of {@code deploy/base} in a cluster, with the roles that are shipped for it
 * and no others. Servers under test reach the cluster as this account; tests themselves act as its
 * administrator.
 */
public final class ShippedAccount {
  /** The account's name for API servers, as policies and webhooks have it. */
  public static final String NAME = "system:serviceaccount:sluice-system:sluice";

  private static final Path DEPLOY = Path.of("..", "deploy");
  private static final String EVERYWHERE = "components/all-namespaces/binding.yaml";
  private static final ObjectMapper JSON = new ObjectMapper();

  private ShippedAccount() {}

  /**
   * Applies the shipped files and returns a kubeconfig with a token of the account. The account may
   * run jobs in namespace {@code default}.
   */
  static Path install(ControlPlane plane) throws IOException {
    plane.apply(read("base/namespace.yaml"));
    plane.apply(read("base/priority.yaml"));
    for (String file : new String[] {"base/serviceaccount.yaml", "base/roles.yaml"}) {
      plane.kubectlWith(read(file), "apply", "--server-side", "-n", "sluice-system", "-f", "-");
    }
    for (String file : new String[] {"role", "policy"}) {
      plane.apply(read("components/namespace-labels/" + file + ".yaml"));
    }
    bind(plane, "default");
    Instant deadline = Instant.now().plus(ControlPlane.PATIENCE);
    while (!plane.answers("auth", "can-i", "list", "nodes", "--as=" + NAME)
        || !plane.answers("auth", "can-i", "create", "jobs", "-n", "default", "--as=" + NAME)) {
      if (Instant.now().isAfter(deadline)) {
        throw new AssertionError("the shipped roles do not take effect");
      }
      ControlPlane.pause();
    }
    return kubeconfig(plane);
  }

  /** Binds the roles in a namespace, as the shipped overlay does for its example. */
  static void bind(ControlPlane plane, String namespace) throws IOException {
    plane.apply(bindings(namespace));
  }

  /** Deletes these bindings. */
  static void unbind(ControlPlane plane, String namespace) throws IOException {
    plane.kubectlWith(bindings(namespace), "delete", "-f", "-");
  }

  /** Binds the role that runs jobs for the whole cluster, as the shipped component does. */
  static void bindEverywhere(ControlPlane plane) throws IOException {
    plane.apply(read(EVERYWHERE));
  }

  /** Deletes that binding. */
  static void unbindEverywhere(ControlPlane plane) throws IOException {
    plane.kubectlWith(read(EVERYWHERE), "delete", "-f", "-");
  }

  private static String bindings(String namespace) throws IOException {
    String team = read("overlays/example/team.yaml");
    return team.substring(team.indexOf("---")).replace("team-a", namespace);
  }

  private static String read(String file) throws IOException {
    return Files.readString(DEPLOY.resolve(file));
  }

  private static Path kubeconfig(ControlPlane plane) throws IOException {
    String token =
        plane.kubectl("create", "token", "sluice", "-n", "sluice-system", "--duration=12h").strip();
    ObjectNode config =
        (ObjectNode)
            JSON.readTree(
                plane.kubectl("config", "view", "--raw", "--minify", "--flatten", "-o", "json"));
    ArrayNode users = config.putArray("users");
    users.addObject().put("name", "sluice").putObject("user").put("token", token);
    ((ObjectNode) config.at("/contexts/0/context")).put("user", "sluice");
    Path file =
        Files.createTempFile(
            "sluice-account-",
            ".kubeconfig",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    file.toFile().deleteOnExit();
    return Files.writeString(file, config.toString());
  }
}
