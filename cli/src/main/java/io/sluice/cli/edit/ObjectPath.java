// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.edit;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.Kinds;
import io.sluice.cli.options.NameLookup;
import io.sluice.cli.options.NamedKind;
import io.sluice.cli.options.WrongUsageException;
import io.sluice.manifests.document.Document;
import io.sluice.manifests.document.TextDocuments;
import io.sluice.restmodel.administration.NamedObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A quota object or a pipeline of the server, by its kind and name.
 *
 * @param namespace empty: the kind has no namespaces
 */
public record ObjectPath(Kinds kinds, String namespace, String name) {
  private static final String DEFAULT_NAMESPACE = "default";

  /** Whether objects of the kind are stored manifests, which can be edited and deleted. */
  public static boolean isStored(Kinds kinds) {
    return kinds.quotaObjects() || kinds == Kinds.PIPELINES;
  }

  /**
   * Resolves a name that a user wrote.
   *
   * @param namespace null: the user gave none
   */
  public static ObjectPath find(
      ServerClient client, Kinds kinds, String written, @Nullable String namespace) {
    NamedKind named = kinds.named();
    if (named == null) {
      return new ObjectPath(kinds, "", written);
    }
    NamedObject found =
        new NameLookup(client, namespace).find(named, written, NameLookup.Purpose.CHANGE);
    return new ObjectPath(kinds, found.namespace(), found.name());
  }

  /**
   * Returns the objects that manifests name, in the order of the text. Only their kinds and names
   * are checked.
   *
   * @throws WrongUsageException if a document has no name, or is of another kind
   */
  public static List<ObjectPath> ofManifests(byte[] text) {
    List<ObjectPath> paths = new ArrayList<>();
    int number = 0;
    for (Document document : TextDocuments.split(text)) {
      number++;
      if (!document.violations().isEmpty()) {
        throw new WrongUsageException("document " + number + " is not a manifest");
      }
      add(document.root(), number, paths);
    }
    return paths;
  }

  private static void add(JsonNode root, int number, List<ObjectPath> paths) {
    if (root.isArray()) {
      root.forEach(item -> add(item, number, paths));
    } else if (root.path("kind").asText().equals("List")) {
      root.path("items").forEach(item -> add(item, number, paths));
    } else {
      paths.add(of(root, "document " + number));
    }
  }

  private static ObjectPath of(JsonNode manifest, String place) {
    String kind = manifest.path("kind").asText();
    JsonNode metadata = manifest.path("metadata");
    String name = metadata.path("name").asText();
    if (kind.isEmpty() || name.isEmpty()) {
      throw new WrongUsageException(place + " has no kind or no metadata.name");
    }
    Kinds kinds = Kinds.parse(kind);
    if (!isStored(kinds)) {
      throw new WrongUsageException(
          "%s is a %s: only quota objects and pipelines are stored under a name"
              .formatted(place, kind));
    }
    String namespace =
        kinds.named() == null ? "" : metadata.path("namespace").asText(DEFAULT_NAMESPACE);
    return new ObjectPath(kinds, namespace, name);
  }

  /** Returns the path of the REST interface. */
  public String path() {
    String place = namespace.isEmpty() ? "" : ServerClient.encode(namespace) + "/";
    return "/v1/" + kinds.plural() + "/" + place + ServerClient.encode(name);
  }

  /** Formats the name as {@code KIND/NAME} or {@code KIND/NAMESPACE/NAME}. */
  public String shown() {
    return kinds.singular() + "/" + (namespace.isEmpty() ? "" : namespace + "/") + name;
  }
}
