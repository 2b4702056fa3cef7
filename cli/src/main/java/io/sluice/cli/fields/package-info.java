// SPDX-License-Identifier: Apache-2.0
/** The fields of manifests and of answers, and the command that explains them. */
@NullMarked
package io.sluice.cli.fields;

import org.jspecify.annotations.NullMarked;
