// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.parser.Parser;
import org.yaml.snakeyaml.parser.ParserImpl;

/**
 * Parses YAML to a tree, from parser events. Jackson's own reader takes an alias for the text of
 * its name and does not distinguish {@code 010} from {@code "010"}. Anchors and aliases work within
 * a document; merge keys, tags that make types and keys that are not text are violations.
 */
final class YamlComposer implements DocumentSource {
  /** How much of an input may stand there by alias, as {@link Sized} counts it. */
  private static final int ALIASED_MAX = 100_000;

  private static final int CHARACTERS_OF_A_NODE = 32;

  private static final int PROBLEM_LENGTH_MAX = 200;
  private static final String MERGE_KEY = "<<";
  private static final String TAG_PREFIX = "tag:yaml.org,2002:";

  private final Parser parser;
  private boolean begun;
  private long aliased;

  YamlComposer(String text) {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(Integer.MAX_VALUE);
    options.setProcessComments(false);
    parser = new ParserImpl(new CodePointReader(text), options);
  }

  @Override
  public @Nullable Document next(Violations violations) throws BrokenSyntaxException {
    try {
      if (!begun) {
        parser.getEvent();
        begun = true;
      }
      if (parser.checkEvent(Event.ID.StreamEnd)) {
        return null;
      }
      parser.getEvent();
      JsonNode root = new Composition(violations).node(parser.getEvent(), Path.ROOT, 1).node();
      parser.getEvent();
      return new Document(root, violations);
    } catch (MarkedYAMLException problem) {
      throw new BrokenSyntaxException(Path.ROOT, "is not YAML: " + explain(problem));
    } catch (YAMLException problem) {
      throw new BrokenSyntaxException(
          Path.ROOT, "is not YAML: " + excerpt(String.valueOf(problem.getMessage())));
    }
  }

  private static String explain(MarkedYAMLException problem) {
    Mark mark = problem.getProblemMark();
    String where =
        mark == null
            ? ""
            : "line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1) + ": ";
    return where + excerpt(String.valueOf(problem.getProblem()));
  }

  private static String excerpt(String problem) {
    return Excerpt.of(problem, PROBLEM_LENGTH_MAX);
  }

  /**
   * A node with its size.
   *
   * @param size how many nodes it is, aliases counted as what they stand for, and long text as many
   */
  private record Sized(JsonNode node, long size) {}

  /** The making of one document. */
  private final class Composition {
    private final Violations violations;
    private final Map<String, Sized> anchored = new HashMap<>();
    private final Set<String> unfinished = new HashSet<>();

    Composition(Violations violations) {
      this.violations = violations;
    }

    Sized node(Event event, Path path, int depth) throws BrokenSyntaxException {
      if (depth > TextDocuments.DEPTH_MAX) {
        throw new BrokenSyntaxException(
            path, "is nested too deeply: at most " + TextDocuments.DEPTH_MAX + " levels");
      }
      String anchor = ((NodeEvent) event).getAnchor();
      if (event instanceof AliasEvent) {
        return aliased(anchor, path);
      }
      if (anchor != null) {
        unfinished.add(anchor);
      }
      Sized made;
      if (event instanceof MappingStartEvent mapping) {
        refuseTag(mapping.getTag(), "map", path);
        made = mapping(path, depth);
      } else if (event instanceof SequenceStartEvent sequence) {
        refuseTag(sequence.getTag(), "seq", path);
        made = sequence(path, depth);
      } else {
        ScalarEvent scalar = (ScalarEvent) event;
        made =
            new Sized(scalar(scalar, path), 1 + scalar.getValue().length() / CHARACTERS_OF_A_NODE);
      }
      if (anchor != null) {
        unfinished.remove(anchor);
        anchored.put(anchor, made);
      }
      return made;
    }

    private Sized aliased(String anchor, Path path) throws BrokenSyntaxException {
      Sized made = anchored.get(anchor);
      if (unfinished.contains(anchor) || made == null) {
        violations.add(
            path,
            "*" + anchor,
            made == null && !unfinished.contains(anchor)
                ? "refers to an unknown anchor"
                : "refers to a node that contains it");
        return new Sized(NullNode.getInstance(), 1);
      }
      aliased += made.size();
      if (aliased > ALIASED_MAX) {
        throw new BrokenSyntaxException(
            path, "makes the input too large: aliases may stand for " + ALIASED_MAX + " values");
      }
      return made;
    }

    private Sized mapping(Path path, int depth) throws BrokenSyntaxException {
      ObjectNode object = JsonNodeFactory.instance.objectNode();
      long size = 1;
      while (!parser.checkEvent(Event.ID.MappingEnd)) {
        String key = key(parser.getEvent(), path, depth);
        Path field = key == null ? path : path.field(key);
        Sized value = node(parser.getEvent(), field, depth + 1);
        size += 1 + value.size();
        if (key != null) {
          if (object.has(key)) {
            violations.add(field, value.node(), "is there twice");
          }
          object.set(key, value.node());
        }
      }
      parser.getEvent();
      return new Sized(object, size);
    }

    /** The key's text; null if it has none, which then was said. */
    private @Nullable String key(Event event, Path path, int depth) throws BrokenSyntaxException {
      if (!(event instanceof ScalarEvent scalar)) {
        String written = event instanceof AliasEvent alias ? "*" + alias.getAnchor() : "";
        violations.add(path, written, "has a key that is not text");
        node(event, path, depth + 1);
        return null;
      }
      if (isPlain(scalar) && scalar.getValue().equals(MERGE_KEY)) {
        violations.add(path, MERGE_KEY, "merges fields, which is not supported: write them out");
        return null;
      }
      JsonNode key = scalar(scalar, path);
      if (!key.isTextual()) {
        violations.add(
            path, scalar.getValue(), "has a key that is not text: put the key in quotes");
        return null;
      }
      return key.textValue();
    }

    private Sized sequence(Path path, int depth) throws BrokenSyntaxException {
      ArrayNode array = JsonNodeFactory.instance.arrayNode();
      long size = 1;
      while (!parser.checkEvent(Event.ID.SequenceEnd)) {
        Sized entry = node(parser.getEvent(), path.index(array.size()), depth + 1);
        size += entry.size();
        array.add(entry.node());
      }
      parser.getEvent();
      return new Sized(array, size);
    }

    private JsonNode scalar(ScalarEvent scalar, Path path) {
      refuseTag(scalar.getTag(), "str", path);
      return isPlain(scalar)
          ? PlainScalar.resolve(scalar.getValue())
          : TextNode.valueOf(scalar.getValue());
    }

    private static boolean isPlain(ScalarEvent scalar) {
      return scalar.getScalarStyle() == ScalarStyle.PLAIN && scalar.getTag() == null;
    }

    /** Tags choose types, here the schema does; one that says what is so anyway does no harm. */
    private void refuseTag(@Nullable String tag, String permitted, Path path) {
      if (tag != null && !tag.equals("!") && !tag.equals(TAG_PREFIX + permitted)) {
        violations.add(path, tag, "is a tag, which is not supported: leave it out");
      }
    }
  }
}
