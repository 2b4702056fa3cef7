// SPDX-License-Identifier: Apache-2.0
/**
 * Templates: JSON with expressions in its strings, and their evaluation. It does not know where
 * values come from.
 */
@NullMarked
package io.sluice.manifests.template;

import org.jspecify.annotations.NullMarked;
