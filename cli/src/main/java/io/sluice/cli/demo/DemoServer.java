// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.demo;

import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.ServerAddress;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.server.ServerProcess;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** The server of the demonstration, a separate process. */
final class DemoServer implements AutoCloseable {
  private static final String FLEET = "fleet.yaml";

  private final Path directory;
  private ServerProcess process;
  private Thread hook;
  private ServerClient client;

  private DemoServer(Path directory, Running running) {
    this.directory = directory;
    this.process = running.process();
    this.hook = running.hook();
    this.client = running.client();
  }

  /** A started server process. */
  private record Running(ServerProcess process, Thread hook, ServerClient client) {}

  /** Starts a server on the directory, which may hold data of an earlier demonstration. */
  static DemoServer start(Path data, Terminal terminal) throws IOException, InterruptedException {
    return start(data, terminal, resource(FLEET));
  }

  /** Starts a server with another fleet. */
  static DemoServer start(Path data, Terminal terminal, byte[] fleet)
      throws IOException, InterruptedException {
    Path directory = data.toAbsolutePath().normalize();
    if (ServerAddress.announced(directory) != null) {
      throw new ClientException(
          "a server runs on " + directory + " already; end it, or choose another directory");
    }
    boolean before = Files.isDirectory(directory.resolve("postgres"));
    terminal.print(
        (before ? "Going on in " : "Starting a server with a database of its own in ") + directory);
    prepare(directory);
    Files.write(demo(directory).resolve(FLEET), fleet);
    setMode(demo(directory).resolve(FLEET), "rw-r--r--");
    return new DemoServer(directory, run(directory, terminal));
  }

  private static Running run(Path directory, Terminal terminal)
      throws IOException, InterruptedException {
    Instant begun = Instant.now();
    ServerProcess process =
        ServerProcess.launch(
            new ServerProcess.Launch(
                directory,
                demo(directory).resolve(FLEET),
                demo(directory).resolve("server.out"),
                false));
    Thread hook = new Thread(process::requestEnd, "demo-server-end");
    Runtime.getRuntime().addShutdownHook(hook);
    ServerAddress address = process.awaitAddress();
    terminal.print(
        "It answers at %s after %.1f s"
            .formatted(address, Duration.between(begun, Instant.now()).toMillis() / 1000.0));
    terminal.print("Its console is there too: ./sluice open --data " + directory);
    return new Running(process, hook, new ServerClient(address));
  }

  /** Waits until the user presses Enter; without a terminal, until the server is ended. */
  void awaitUser() throws IOException, InterruptedException {
    int typed = System.in.read();
    if (typed < 0) {
      process.awaitEnd();
    }
  }

  /** Kills the server as a crash would, and starts another on the same directory. */
  void crashAndReturn(Terminal terminal) throws IOException, InterruptedException {
    process.kill();
    Runtime.getRuntime().removeShutdownHook(hook);
    Running next = run(directory, terminal);
    process = next.process();
    hook = next.hook();
    client = next.client();
  }

  /** Reads a file of {@code examples}. */
  static byte[] example(String name) throws IOException {
    return Files.readAllBytes(ServerProcess.home().resolve("examples").resolve(name));
  }

  /** Creates the files of the demonstration, readable for the accounts that run jobs. */
  private static void prepare(Path directory) throws IOException {
    Files.createDirectories(demo(directory).resolve("books"));
    setMode(directory, "rwx--x--x");
    setMode(demo(directory), "rwxr-xr-x");
    setMode(demo(directory).resolve("books"), "rwxrwxrwx");
    for (String file : List.of("quota.yaml", "edit.yaml", "worker.sh", "elastic.sh")) {
      Files.write(demo(directory).resolve(file), resource(file));
      setMode(demo(directory).resolve(file), "rw-r--r--");
    }
  }

  /** Reads a file of the demonstration. */
  static byte[] resource(String name) throws IOException {
    try (InputStream in = DemoServer.class.getResourceAsStream(name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    }
  }

  private static void setMode(Path path, String mode) throws IOException {
    if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }
  }

  private static Path demo(Path directory) {
    return directory.resolve("demo");
  }

  ServerClient client() {
    return client;
  }

  /** Returns the path of a file of the demonstration. */
  Path file(String name) {
    return demo(directory).resolve(name);
  }

  /** Stops the server and waits for it. */
  @Override
  public void close() {
    try {
      process.end();
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (IllegalStateException shuttingDown) {
      // The hook runs, and the server has ended.
      return;
    }
  }
}
