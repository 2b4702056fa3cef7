// SPDX-License-Identifier: Apache-2.0
/**
 * Previews the effects of edits and changes by running the engine on copies. It records nothing.
 */
@NullMarked
package io.sluice.admission.preview;

import org.jspecify.annotations.NullMarked;
