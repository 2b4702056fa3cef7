// SPDX-License-Identifier: Apache-2.0
package io.sluice.browser;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Objects;
import javax.imageio.ImageIO;

/** Compares two pictures pixel by pixel. */
final class Pixels {
  /** Differences of a colour's part that count, of 255: edges are smoothed a little differently. */
  private static final int VISIBLE = 32;

  private Pixels() {}

  /**
   * Returns how many pixels differ visibly, of those of the first picture that are drawn; 1 for
   * another size. Drawn is what has another colour than the lower right corner.
   */
  static double difference(byte[] one, byte[] other) throws IOException {
    BufferedImage first = read(one);
    BufferedImage second = read(other);
    int width = first.getWidth();
    int height = first.getHeight();
    if (width != second.getWidth() || height != second.getHeight()) {
      return 1;
    }
    int background = first.getRGB(width - 1, height - 1);
    int drawn = 0;
    int different = 0;
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        drawn += differ(first.getRGB(x, y), background) ? 1 : 0;
        different += differ(first.getRGB(x, y), second.getRGB(x, y)) ? 1 : 0;
      }
    }
    if (drawn == 0) {
      throw new IllegalArgumentException("the picture is empty");
    }
    return (double) different / drawn;
  }

  private static BufferedImage read(byte[] png) throws IOException {
    return Objects.requireNonNull(ImageIO.read(new ByteArrayInputStream(png)), "no picture");
  }

  private static boolean differ(int one, int other) {
    for (int shift = 0; shift <= 16; shift += 8) {
      if (Math.abs((one >> shift & 255) - (other >> shift & 255)) > VISIBLE) {
        return true;
      }
    }
    return false;
  }
}
