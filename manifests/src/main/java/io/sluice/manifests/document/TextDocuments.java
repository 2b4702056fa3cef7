// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.document;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Splits a text into documents. A text that begins with <code>{</code> or {@code [} is JSON, one
 * value after another; every other is YAML. The caller bounds the text; depth, number of documents
 * and what aliases stand for are bounded here.
 */
public final class TextDocuments {
  /** Also the most objects in one list. */
  public static final int COUNT_MAX = 1000;

  static final int DEPTH_MAX = 64;
  private static final char BYTE_ORDER_MARK = '\ufeff';

  private TextDocuments() {}

  /** As {@link #split(String)}, of UTF-8. */
  public static List<Document> split(byte[] text) {
    try {
      return split(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text)).toString());
    } catch (CharacterCodingException notUtf8) {
      Violations violations = new Violations(1);
      violations.add(Path.ROOT, "", "is not UTF-8");
      return List.of(Document.unreadable(violations));
    }
  }

  /** The documents that are not blank. */
  public static List<Document> split(String text) {
    String marked = !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
    DocumentSource source =
        looksLikeJson(marked) ? new JsonComposer(marked) : new YamlComposer(marked);
    return read(source);
  }

  /** As {@link #split(String)}, of YAML however it begins. */
  public static List<Document> splitYaml(String text) {
    return read(new YamlComposer(text));
  }

  private static List<Document> read(DocumentSource source) {
    List<Document> documents = new ArrayList<>();
    for (int number = 1; ; number++) {
      Violations violations = new Violations(number);
      try {
        Document document = source.next(violations);
        if (document == null) {
          return documents;
        }
        if (document.isBlank()) {
          continue;
        }
        if (documents.size() == COUNT_MAX) {
          throw new BrokenSyntaxException(
              Path.ROOT, "is one too many: at most " + COUNT_MAX + " documents");
        }
        documents.add(document);
      } catch (BrokenSyntaxException broken) {
        violations.add(broken.path(), "", broken.message());
        documents.add(Document.unreadable(violations));
        return documents;
      }
    }
  }

  private static boolean looksLikeJson(String text) {
    int at = 0;
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return at < text.length() && (text.charAt(at) == '{' || text.charAt(at) == '[');
  }
}
