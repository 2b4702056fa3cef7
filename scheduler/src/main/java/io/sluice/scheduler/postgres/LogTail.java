// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The end of a log or of a program's output. */
record LogTail(String text) {
  private static final int BYTES_MAX = 8 * 1024;
  private static final int LINES_MAX = 3;

  /** Errors that end a server, or with which initdb and similar programs fail. */
  private static final Pattern FATAL = Pattern.compile(".*?(?:FATAL|PANIC|error): +(.*)");

  private static final Pattern SUPPLEMENT = Pattern.compile(".*?(?:DETAIL|HINT|hint): +(.*)");

  /** Reads at most the last 8 KiB of the file after {@code offset}. */
  static LogTail of(Path file, long offset) throws IOException {
    try (SeekableByteChannel channel = Files.newByteChannel(file);
        InputStream in = Channels.newInputStream(channel)) {
      channel.position(Math.max(offset, channel.size() - BYTES_MAX));
      return new LogTail(new String(in.readNBytes(BYTES_MAX), StandardCharsets.UTF_8));
    }
  }

  boolean contains(String words) {
    return text.contains(words);
  }

  /** The last fatal message with its details and hints, otherwise the last lines, as one line. */
  String reason() {
    List<String> lines = text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    for (int i = lines.size() - 1; i >= 0; i--) {
      Matcher fatal = FATAL.matcher(lines.get(i));
      if (fatal.matches()) {
        return fatal.group(1) + supplements(lines.subList(i + 1, lines.size()));
      }
    }
    return lines.isEmpty()
        ? "it says nothing"
        : String.join("; ", lines.subList(Math.max(0, lines.size() - LINES_MAX), lines.size()));
  }

  private static String supplements(List<String> lines) {
    StringBuilder joined = new StringBuilder();
    for (String line : lines) {
      Matcher supplement = SUPPLEMENT.matcher(line);
      if (!supplement.matches()) {
        break;
      }
      joined.append("; ").append(supplement.group(1));
    }
    return joined.toString();
  }
}
