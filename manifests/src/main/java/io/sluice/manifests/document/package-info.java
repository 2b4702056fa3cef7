// SPDX-License-Identifier: Apache-2.0
/**
 * Documents of YAML and JSON: how text is taken apart and written, where in it something stands,
 * and what is wrong there. It knows no kind of manifest.
 */
@NullMarked
package io.sluice.manifests.document;

import org.jspecify.annotations.NullMarked;
