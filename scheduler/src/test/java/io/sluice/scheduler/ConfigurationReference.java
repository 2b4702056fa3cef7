// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import io.sluice.scheduler.config.ServerSettings;
import io.smallrye.config.WithDefault;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Generates the Markdown reference of the server's configuration: command options, the settings
 * that they set, and the Quarkus settings that Sluice chooses.
 */
final class ConfigurationReference {
  private static final Path SOURCES = Path.of("src", "main");
  private static final Path MAPPING =
      SOURCES.resolve("java/io/sluice/scheduler/config/ServerSettings.java");
  private static final Path PROPERTIES = SOURCES.resolve("resources/application.properties");
  private static final String PREFIX = "sluice.";

  /** Quarkus settings that take effect at start; all others are fixed at build time. */
  private static final List<String> READ_AT_START =
      List.of(
          "quarkus.datasource.jdbc.",
          "quarkus.datasource.writers.jdbc.max-size",
          "quarkus.http.limits.",
          "quarkus.log.",
          "quarkus.shutdown.");

  private static final Pattern UPPER = Pattern.compile("([A-Z])");
  private static final Pattern NOT_IN_VARIABLES = Pattern.compile("[^A-Za-z0-9]");
  private static final Pattern CODE = Pattern.compile("\\{@code ([^}]*)}");
  private static final Pattern RETURNED = Pattern.compile("\\s*@return\\s+");

  private final StringBuilder text = new StringBuilder();
  private final CommandLine up = new CommandLine(new UpCommand());

  private ConfigurationReference() {}

  static String write() throws IOException {
    ConfigurationReference reference = new ConfigurationReference();
    reference.options("## Options of `./sluice up`", reference.up);
    reference.options("## Options of `./sluice restore`", new CommandLine(new RestoreCommand()));
    reference.settings();
    reference.quarkus();
    return reference.text.toString();
  }

  private void options(String heading, CommandLine command) {
    text.append(heading).append("\n\n");
    table("option", "type", "default", "meaning");
    for (OptionSpec option : command.getCommandSpec().options()) {
      if (!option.usageHelp() && !option.versionHelp()) {
        boolean flag = option.arity().max() == 0;
        row(
            code(option.longestName() + (flag ? "" : " " + option.paramLabel())),
            flag ? "flag" : type(option.auxiliaryTypes()[0]),
            flag || shown(option).isEmpty() ? "none" : code(shown(option)),
            String.join(" ", option.description()).replace("${DEFAULT-VALUE}", shown(option)));
      }
    }
    text.append('\n');
  }

  private static String shown(OptionSpec option) {
    Object initial = option.initialValue();
    boolean word = initial instanceof String || initial instanceof Integer;
    String value =
        option.defaultValue() == null && word ? initial.toString() : option.defaultValue();
    // A default from an environment variable would be the value on this machine.
    return value == null || value.contains("${env:") || option.longestName().equals("--data")
        ? ""
        : value;
  }

  private void settings() throws IOException {
    text.append("## Settings of the server\n\n");
    table("setting", "environment variable", "type", "default", "option", "meaning");
    Map<String, Method> methods = new TreeMap<>();
    for (Method method : ServerSettings.class.getMethods()) {
      methods.put(method.getName(), method);
    }
    for (Map.Entry<String, String> documented : meanings().entrySet()) {
      Method method = Objects.requireNonNull(methods.remove(documented.getKey()));
      String name = kebab(method.getName());
      WithDefault preset = method.getAnnotation(WithDefault.class);
      row(
          code(PREFIX + name),
          code(variable(PREFIX + name)),
          type(method.getGenericReturnType().getTypeName()),
          preset == null ? "none" : code(preset.value()),
          Stream.of(option(name))
              .filter(Objects::nonNull)
              .map(o -> code(o))
              .findFirst()
              .orElse("none"),
          documented.getValue());
    }
    if (!methods.isEmpty()) {
      throw new IllegalStateException("settings without a comment: " + methods.keySet());
    }
    text.append('\n');
  }

  private @Nullable String option(String setting) {
    String singular = setting.replaceAll("s$", "");
    return Stream.of("--" + setting, "--no-" + setting, "--" + singular)
        .filter(name -> up.getCommandSpec().findOption(name) != null && !name.equals("--version"))
        .findFirst()
        .orElse(null);
  }

  private void quarkus() throws IOException {
    text.append("## Settings of Quarkus that Sluice chooses\n\n");
    table("setting", "environment variable", "value");
    for (String line : Files.readAllLines(PROPERTIES)) {
      int equals = line.indexOf('=');
      if (equals > 0 && READ_AT_START.stream().anyMatch(line::startsWith)) {
        String name = line.substring(0, equals);
        row(code(name), code(variable(name)), code(line.substring(equals + 1)));
      }
    }
  }

  /** Returns the comment of each setting, in the order of the source. */
  private static Map<String, String> meanings() throws IOException {
    Map<String, String> meanings = new LinkedHashMap<>();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(null, files, null, null, null, files.getJavaFileObjects(MAPPING));
      DocTrees trees = DocTrees.instance(task);
      for (CompilationUnitTree unit : task.parse()) {
        new TreePathScanner<@Nullable Void, @Nullable Void>() {
          @Override
          public @Nullable Void visitMethod(MethodTree method, @Nullable Void none) {
            String comment = Objects.requireNonNull(trees.getDocComment(getCurrentPath()));
            String words = RETURNED.matcher(comment).replaceAll(" Value: ");
            meanings.put(
                method.getName().toString(),
                CODE.matcher(words).replaceAll("`$1`").strip().replaceAll("\\s+", " "));
            return null;
          }
        }.scan(unit, null);
      }
    }
    return meanings;
  }

  private void table(String... heads) {
    row(heads);
    text.append("|---".repeat(heads.length)).append("|\n");
  }

  private void row(String... cells) {
    for (String cell : cells) {
      text.append("| ").append(cell.replace("|", "\\|")).append(' ');
    }
    text.append("|\n");
  }

  private static String code(String words) {
    return "`" + words + "`";
  }

  private static String type(Class<?> type) {
    return type(type.getTypeName());
  }

  private static String type(String name) {
    if (name.contains("List")) {
      return "list of text";
    }
    if (name.contains("Path")) {
      return "path";
    }
    return switch (name) {
      case "int" -> "whole number";
      case "boolean" -> "`true` or `false`";
      default -> "text";
    };
  }

  private static String kebab(String name) {
    return UPPER.matcher(name).replaceAll("-$1").toLowerCase(Locale.ROOT);
  }

  private static String variable(String setting) {
    return NOT_IN_VARIABLES.matcher(setting).replaceAll("_").toUpperCase(Locale.ROOT);
  }
}
