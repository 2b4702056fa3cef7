// SPDX-License-Identifier: Apache-2.0
/**
 * The values of {@code -o}: JSON, YAML, JSONPath templates and custom columns. It sends no requests
 * and knows no kinds.
 */
@NullMarked
package io.sluice.cli.form;

import org.jspecify.annotations.NullMarked;
