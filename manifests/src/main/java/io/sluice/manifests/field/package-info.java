// SPDX-License-Identifier: Apache-2.0
/** Fields that several kinds of manifests share, and the cursor that reads them strictly. */
@NullMarked
package io.sluice.manifests.field;

import org.jspecify.annotations.NullMarked;
