// SPDX-License-Identifier: Apache-2.0
/** Stored manifests: their paths, and the commands that compare and edit them. */
@NullMarked
package io.sluice.cli.edit;

import org.jspecify.annotations.NullMarked;
