// SPDX-License-Identifier: Apache-2.0
package io.sluice.browser;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import javax.imageio.ImageIO;

/**
 * A picture of a page as the mean brightness of blocks, which times and fonts change little. Blocks
 * are 32 pixels wide and high.
 */
final class Picture {
  private static final int BLOCK = 32;

  /** Differences of brightness that count, of 255. */
  private static final double VISIBLE = 12;

  private final double[][] blocks;

  private Picture(double[][] blocks) {
    this.blocks = blocks;
  }

  static Picture of(byte[] png) {
    try {
      BufferedImage image =
          Objects.requireNonNull(ImageIO.read(new ByteArrayInputStream(png)), "no picture");
      double[][] blocks = new double[image.getHeight() / BLOCK][image.getWidth() / BLOCK];
      for (int y = 0; y < blocks.length; y++) {
        for (int x = 0; x < blocks[y].length; x++) {
          blocks[y][x] = mean(image, x * BLOCK, y * BLOCK);
        }
      }
      return new Picture(blocks);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static double mean(BufferedImage image, int left, int top) {
    double sum = 0;
    for (int y = top; y < top + BLOCK; y++) {
      for (int x = left; x < left + BLOCK; x++) {
        int rgb = image.getRGB(x, y);
        sum += (rgb >> 16 & 255) * 0.3 + (rgb >> 8 & 255) * 0.59 + (rgb & 255) * 0.11;
      }
    }
    return sum / (BLOCK * BLOCK);
  }

  /** Returns the share of blocks that look different, from 0 to 1; 1 for another size. */
  double differenceFrom(Picture other) {
    if (blocks.length != other.blocks.length || blocks[0].length != other.blocks[0].length) {
      return 1;
    }
    int different = 0;
    for (int y = 0; y < blocks.length; y++) {
      for (int x = 0; x < blocks[y].length; x++) {
        if (Math.abs(blocks[y][x] - other.blocks[y][x]) > VISIBLE) {
          different++;
        }
      }
    }
    return (double) different / (blocks.length * blocks[0].length);
  }
}
