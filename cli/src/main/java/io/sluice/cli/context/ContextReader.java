// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.context;

import io.sluice.cli.client.ClientException;
import java.io.StringReader;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Parses the file strictly; each error names the file and the line. */
final class ContextReader {
  private static final Set<String> FILE_FIELDS = Set.of("current-context", "contexts");
  private static final Set<String> FIELDS =
      Set.of("name", "server", "data", "token-file", "ca-file", "namespace");

  private final Path file;

  ContextReader(Path file) {
    this.file = file;
  }

  /**
   * Parses the text of the file.
   *
   * @throws ClientException naming the line of the first error
   */
  Contexts parse(String text) {
    Node root = compose(text);
    if (root == null) {
      return Contexts.NONE;
    }
    Map<String, Node> fields = fields(root, FILE_FIELDS);
    List<Context> contexts = new ArrayList<>();
    Node list = fields.get("contexts");
    if (list != null) {
      if (!(list instanceof SequenceNode sequence)) {
        throw wrong(list, "contexts must be a list");
      }
      for (Node one : sequence.getValue()) {
        Context context = context(one);
        if (contexts.stream().anyMatch(other -> other.name().equals(context.name()))) {
          throw wrong(one, "there are two contexts " + context.name());
        }
        contexts.add(context);
      }
    }
    Node current = fields.get("current-context");
    String name = current == null ? null : scalar(current, "current-context");
    Contexts read = new Contexts(name, contexts);
    if (current != null && name != null && read.named(name) == null) {
      throw wrong(
          current, "current-context is \"%s\", but contexts are %s".formatted(name, read.names()));
    }
    return read;
  }

  private @Nullable Node compose(String text) {
    try {
      return new Yaml(new LoaderOptions()).compose(new StringReader(text));
    } catch (MarkedYAMLException broken) {
      throw wrong(line(broken.getProblemMark()), "is not YAML: " + broken.getProblem());
    } catch (YAMLException broken) {
      throw wrong(1, "is not YAML: " + broken.getMessage());
    }
  }

  private Context context(Node node) {
    Map<String, Node> fields = fields(node, FIELDS);
    String name = text(fields, "name");
    if (name == null) {
      throw wrong(node, "a context needs a name");
    }
    Node server = fields.get("server");
    URI url = server == null ? null : url(server);
    String data = text(fields, "data");
    String tokenFile = text(fields, "token-file");
    if (url == null && data == null) {
      throw wrong(node, "context " + name + " needs a server or a data directory");
    }
    if (data != null && tokenFile != null) {
      throw wrong(
          node, "context " + name + " has data and token-file: the token is in one of them");
    }
    return new Context(
        name, url, data, tokenFile, text(fields, "ca-file"), text(fields, "namespace"));
  }

  private URI url(Node node) {
    String written = scalar(node, "server");
    try {
      URI url = new URI(written);
      if (Context.isHttp(url)) {
        return url;
      }
    } catch (URISyntaxException notAnUrl) {
      // The same message as for a URL of another scheme.
    }
    throw wrong(
        node, "server must be a URL such as http://HOST:7411, it is \"%s\"".formatted(written));
  }

  private Map<String, Node> fields(Node node, Set<String> known) {
    if (!(node instanceof MappingNode mapping)) {
      throw wrong(node, "must have fields, such as current-context and contexts");
    }
    Map<String, Node> fields = new LinkedHashMap<>();
    for (NodeTuple field : mapping.getValue()) {
      String name = scalar(field.getKeyNode(), "a field name");
      if (name.equals("token")) {
        throw wrong(
            field.getKeyNode(), "a token may not be in this file: name a file with token-file");
      }
      if (!known.contains(name)) {
        throw wrong(
            field.getKeyNode(),
            "unknown field \"%s\": one of %s".formatted(name, known.stream().sorted().toList()));
      }
      if (fields.put(name, field.getValueNode()) != null) {
        throw wrong(field.getKeyNode(), "field " + name + " is given twice");
      }
    }
    return fields;
  }

  private @Nullable String text(Map<String, Node> fields, String name) {
    Node node = fields.get(name);
    return node == null ? null : scalar(node, name);
  }

  private String scalar(Node node, String name) {
    if (!(node instanceof ScalarNode scalar) || scalar.getValue().isBlank()) {
      throw wrong(node, name + " must be text");
    }
    return scalar.getValue();
  }

  private ClientException wrong(Node node, String what) {
    return wrong(line(node.getStartMark()), what);
  }

  private ClientException wrong(int line, String what) {
    return new ClientException("%s, line %d: %s".formatted(file, line, what));
  }

  private static int line(@Nullable Mark mark) {
    return mark == null ? 1 : mark.getLine() + 1;
  }
}
