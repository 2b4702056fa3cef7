// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel;

import java.util.regex.Pattern;

/** The rules of Kubernetes for names, so that every object here could be written there. */
public final class Names {
  private static final int LABEL_LENGTH_MAX = 63;
  private static final int SUBDOMAIN_LENGTH_MAX = 253;
  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
  private static final Pattern SUBDOMAIN =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  private static final Pattern QUALIFIED_END =
      Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
  private static final Pattern LABEL_VALUE =
      Pattern.compile("([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?");
  private static final Pattern ENVIRONMENT = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private Names() {}

  /**
   * A DNS label (RFC 1123): namespaces, pod sets.
   *
   * @throws InvalidValueException if it is not one
   */
  public static String requireLabel(String name) {
    if (name.length() > LABEL_LENGTH_MAX || !LABEL.matcher(name).matches()) {
      throw new InvalidValueException(
          "must be a DNS label: at most 63 lower-case letters, digits or '-', beginning and ending"
              + " with a letter or digit");
    }
    return name;
  }

  /**
   * A DNS subdomain (RFC 1123): names of objects and jobs.
   *
   * @throws InvalidValueException if it is not one
   */
  public static String requireSubdomain(String name) {
    if (!isSubdomain(name)) {
      throw new InvalidValueException(
          "must be a DNS subdomain: at most 253 lower-case letters, digits, '-' or '.', each part"
              + " beginning and ending with a letter or digit");
    }
    return name;
  }

  /**
   * A qualified name: label keys, annotation keys, resource names.
   *
   * @throws InvalidValueException if it is not one
   */
  public static String requireQualified(String name) {
    int slash = name.indexOf('/');
    boolean prefixIsRight = slash < 0 || isSubdomain(name.substring(0, slash));
    if (!prefixIsRight || !QUALIFIED_END.matcher(name.substring(slash + 1)).matches()) {
      throw new InvalidValueException(
          "must be a qualified name: an optional DNS subdomain and '/', then at most 63 letters,"
              + " digits, '-', '_' or '.'");
    }
    return name;
  }

  private static boolean isSubdomain(String name) {
    return name.length() <= SUBDOMAIN_LENGTH_MAX && SUBDOMAIN.matcher(name).matches();
  }

  /**
   * The value of a label.
   *
   * @throws InvalidValueException if it is not one
   */
  public static String requireLabelValue(String value) {
    if (!LABEL_VALUE.matcher(value).matches()) {
      throw new InvalidValueException(
          "must be a label value: empty, or at most 63 letters, digits, '-', '_' or '.', beginning"
              + " and ending with a letter or digit");
    }
    return value;
  }

  /**
   * The name of an environment variable.
   *
   * @throws InvalidValueException if it is not one
   */
  public static String requireEnvironmentName(String name) {
    if (!ENVIRONMENT.matcher(name).matches()) {
      throw new InvalidValueException(
          "must be an environment variable's name: letters, digits and '_', not beginning with a"
              + " digit");
    }
    return name;
  }
}
