// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.sluice.manifests.containers;

import org.jspecify.annotations.NullMarked;
