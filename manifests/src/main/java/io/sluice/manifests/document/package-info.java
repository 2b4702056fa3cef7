// SPDX-License-Identifier: Apache-2.0
/**
 * Parses and writes documents of YAML and JSON, with paths and faults. It knows no kind of
 * manifest.
 */
@NullMarked
package io.sluice.manifests.document;

import org.jspecify.annotations.NullMarked;
