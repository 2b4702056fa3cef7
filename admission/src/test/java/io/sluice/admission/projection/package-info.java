// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.sluice.admission.projection;

import org.jspecify.annotations.NullMarked;
