// SPDX-License-Identifier: Apache-2.0
/**
 * JSON with expressions in its texts, and what becomes of it when they have values. It does not
 * know where values come from.
 */
@NullMarked
package io.sluice.manifests.template;

import org.jspecify.annotations.NullMarked;
