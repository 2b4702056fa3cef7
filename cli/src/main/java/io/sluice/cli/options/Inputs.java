// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.options;

import io.sluice.cli.client.ClientException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Reads the inputs that {@code -f} names: files, folders of manifests, or standard input. */
public final class Inputs {
  /** The server's limit for a body. */
  private static final int BYTES_MAX = 8 << 20;

  private static final String STANDARD_INPUT = "-";

  private Inputs() {}

  /** Reads all inputs as one text of several documents. */
  public static byte[] read(List<String> names) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (String name : names) {
      for (byte[] text : texts(name)) {
        if (all.size() > 0 && names.size() > 1) {
          all.writeBytes("\n---\n".getBytes(StandardCharsets.UTF_8));
        }
        all.writeBytes(text);
        if (all.size() > BYTES_MAX) {
          throw new ClientException("more than 8 MiB of manifests; apply them in parts");
        }
      }
    }
    return all.toByteArray();
  }

  private static List<byte[]> texts(String name) {
    try {
      if (name.equals(STANDARD_INPUT)) {
        return List.of(System.in.readNBytes(BYTES_MAX + 1));
      }
      Path path = Path.of(name);
      if (!Files.isDirectory(path)) {
        return List.of(Files.readAllBytes(path));
      }
      return List.of(folder(path));
    } catch (IOException failure) {
      throw new ClientException(
          "cannot read "
              + name
              + ": "
              + failure.getClass().getSimpleName().replace("Exception", ""));
    }
  }

  private static byte[] folder(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> found = Files.list(folder)) {
      files = found.filter(Inputs::isManifest).sorted().toList();
    }
    if (files.isEmpty()) {
      throw new ClientException("no .yaml, .yml or .json files in " + folder);
    }
    List<String> texts = new ArrayList<>();
    for (Path file : files) {
      texts.add(Files.readString(file));
    }
    return String.join("\n---\n", texts).getBytes(StandardCharsets.UTF_8);
  }

  private static boolean isManifest(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json");
  }
}
