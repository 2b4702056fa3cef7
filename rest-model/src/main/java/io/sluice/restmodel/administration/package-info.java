// SPDX-License-Identifier: Apache-2.0
/** The server, its journal, its audit and the names of objects in answers. */
@NullMarked
package io.sluice.restmodel.administration;

import org.jspecify.annotations.NullMarked;
