// SPDX-License-Identifier: Apache-2.0
/**
 * Reads and writes the schemas of Kueue, GKE and our own. It checks form and references inside one
 * document, never what is stored.
 */
@NullMarked
package io.sluice.manifests;

import org.jspecify.annotations.NullMarked;
