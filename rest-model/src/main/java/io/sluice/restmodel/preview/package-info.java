// SPDX-License-Identifier: Apache-2.0
/** Applied manifests, and the effects that an edit would have. */
@NullMarked
package io.sluice.restmodel.preview;

import org.jspecify.annotations.NullMarked;
