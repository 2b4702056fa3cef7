// SPDX-License-Identifier: Apache-2.0
/** What an edit of quota objects would change, by the engine on copies. It records nothing. */
@NullMarked
package io.sluice.admission.preview;

import org.jspecify.annotations.NullMarked;
