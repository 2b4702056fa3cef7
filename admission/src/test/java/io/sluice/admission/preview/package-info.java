// SPDX-License-Identifier: Apache-2.0
/** Tests of previews. It holds nothing that others use. */
@NullMarked
package io.sluice.admission.preview;

import org.jspecify.annotations.NullMarked;
