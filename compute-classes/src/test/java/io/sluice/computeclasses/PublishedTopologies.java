// SPDX-License-Identifier: Apache-2.0
package io.sluice.computeclasses;

import java.util.Arrays;
import java.util.stream.Stream;

/**
 * What the published tables say of every slice: google/pathways-job, October 2025, and for machines
 * of one chip xpk, June 2026. That the first lists 1x1 of v6e under the machine of four chips is
 * left out: the second has it on the one of one chip.
 */
final class PublishedTopologies {
  private static final String ONE_CHIP = "1x1=1/1";

  private static final String TPU7X_STANDARD_4T =
      """
      2x2x1=4/1 2x2x2=8/2 2x2x4=16/4 2x4x4=32/8 4x4x4=64/16 4x4x8=128/32 4x4x12=192/48
      4x8x8=256/64 4x4x20=320/80 4x8x12=384/96 4x4x28=448/112 8x8x8=512/128 4x12x12=576/144
      4x8x20=640/160 4x4x44=704/176 8x8x12=768/192 4x4x52=832/208 4x8x28=896/224
      4x12x20=960/240 8x8x16=1024/256 4x4x68=1088/272 8x12x12=1152/288 4x4x76=1216/304
      8x8x20=1280/320 4x12x28=1344/336 4x8x44=1408/352 4x4x92=1472/368 8x12x16=1536/384
      4x20x20=1600/400 4x8x52=1664/416 12x12x12=1728/432 8x8x28=1792/448 4x4x116=1856/464
      8x12x20=1920/480 4x4x124=1984/496 8x16x16=2048/512 4x12x44=2112/528 4x8x68=2176/544
      4x20x28=2240/560 12x12x16=2304/576 4x4x148=2368/592 4x8x76=2432/608 4x12x52=2496/624
      8x16x20=2560/640 4x4x164=2624/656 8x12x28=2688/672 4x4x172=2752/688 8x8x44=2816/704
      12x12x20=2880/720 4x8x92=2944/736 4x4x188=3008/752 12x16x16=3072/768 4x28x28=3136/784
      8x20x20=3200/800 4x12x68=3264/816 8x8x52=3328/832 4x4x212=3392/848 12x12x24=3456/864
      4x20x44=3520/880 8x16x28=3584/896 4x12x76=3648/912 4x8x116=3712/928 4x4x236=3776/944
      12x16x20=3840/960 4x4x244=3904/976 4x8x124=3968/992 12x12x28=4032/1008
      16x16x16=4096/1024 4x20x52=4160/1040 8x12x44=4224/1056 8x8x68=4352/1088
      4x12x92=4416/1104 8x20x28=4480/1120 12x16x24=4608/1152 4x8x148=4736/1184
      12x20x20=4800/1200 8x8x76=4864/1216 4x28x44=4928/1232 8x12x52=4992/1248
      16x16x20=5120/1280 12x12x36=5184/1296 4x8x164=5248/1312 12x16x28=5376/1344
      4x20x68=5440/1360 4x8x172=5504/1376 4x12x116=5568/1392 8x16x44=5632/1408
      12x20x24=5760/1440 4x28x52=5824/1456 8x8x92=5888/1472 4x12x124=5952/1488
      4x8x188=6016/1504 4x20x76=6080/1520 16x16x24=6144/1536 12x24x24=6912/1728
      16x16x32=8192/2048 16x20x28=8960/2240 16x24x24=9216/2304
      """;

  private static final String CT6E_STANDARD_4T =
      """
      2x2=4/1 2x4=8/2 4x4=16/4 4x8=32/8 8x8=64/16 8x16=128/32 16x16=256/64
      """;

  private static final String CT6E_STANDARD_8T =
      """
      2x4=8/1
      """;

  private static final String CT5P_HIGHTPU_4T =
      """
      2x2x1=4/1 2x2x2=8/2 2x2x4=16/4 2x4x4=32/8 4x4x4=64/16 4x4x8=128/32 4x4x12=192/48
      4x8x8=256/64 4x4x20=320/80 4x8x12=384/96 4x4x28=448/112 8x8x8=512/128 4x12x12=576/144
      4x8x20=640/160 4x4x44=704/176 8x8x12=768/192 4x4x52=832/208 4x8x28=896/224
      4x12x20=960/240 8x8x16=1024/256 4x4x68=1088/272 8x12x12=1152/288 4x4x76=1216/304
      8x8x20=1280/320 4x12x28=1344/336 4x8x44=1408/352 4x4x92=1472/368 8x12x16=1536/384
      4x20x20=1600/400 4x8x52=1664/416 12x12x12=1728/432 8x8x28=1792/448 4x4x116=1856/464
      8x12x20=1920/480 4x4x124=1984/496 8x16x16=2048/512 4x12x44=2112/528 4x8x68=2176/544
      4x20x28=2240/560 12x12x16=2304/576 4x4x148=2368/592 4x8x76=2432/608 4x12x52=2496/624
      8x16x20=2560/640 4x4x164=2624/656 8x12x28=2688/672 4x4x172=2752/688 8x8x44=2816/704
      12x12x20=2880/720 4x8x92=2944/736 4x4x188=3008/752 12x16x16=3072/768 4x28x28=3136/784
      8x20x20=3200/800 4x12x68=3264/816 8x8x52=3328/832 4x4x212=3392/848 12x12x24=3456/864
      4x20x44=3520/880 8x16x28=3584/896 4x12x76=3648/912 4x8x116=3712/928 4x4x236=3776/944
      12x16x20=3840/960 4x4x244=3904/976 4x8x124=3968/992 12x12x28=4032/1008
      16x16x16=4096/1024 4x20x52=4160/1040 8x12x44=4224/1056 8x8x68=4352/1088
      4x12x92=4416/1104 8x20x28=4480/1120 12x16x24=4608/1152 4x8x148=4736/1184
      12x20x20=4800/1200 8x8x76=4864/1216 4x28x44=4928/1232 8x12x52=4992/1248
      16x16x20=5120/1280 12x12x36=5184/1296 4x8x164=5248/1312 12x16x28=5376/1344
      4x20x68=5440/1360 4x8x172=5504/1376 4x12x116=5568/1392 8x16x44=5632/1408
      12x20x24=5760/1440 4x28x52=5824/1456 8x8x92=5888/1472 4x12x124=5952/1488
      4x8x188=6016/1504 4x20x76=6080/1520 16x16x24=6144/1536 12x24x24=6912/1728
      16x20x28=8960/2240
      """;

  private static final String CT5LP_HIGHTPU_4T =
      """
      2x2=4/1 2x4=8/2 4x4=16/4 4x8=32/8 8x8=64/16 8x16=128/32 16x16=256/64
      """;

  private static final String CT5LP_HIGHTPU_8T =
      """
      2x4=8/1
      """;

  private static final String CT4P_HIGHTPU_4T =
      """
      2x2x1=4/1 2x2x2=8/2 2x2x4=16/4 2x4x4=32/8 4x4x4=64/16 4x4x8=128/32 4x4x16=256/64
      4x8x8=256/64 8x8x8=512/128 8x8x12=768/192 4x16x16=1024/256 8x8x16=1024/256
      8x16x16=2048/512
      """;

  private PublishedTopologies() {}

  /**
   * One slice.
   *
   * @param type short name of the accelerator
   */
  record Row(String type, String gkeLabel, String machine, int chipsPerHost, Size size) {}

  /** How large the slice is said to be. */
  record Size(String topology, long chips, int hosts) {}

  static Stream<Row> rows() {
    return Stream.of(
            rows("tpu7x", "tpu7x", "tpu7x-standard-4t", 4, TPU7X_STANDARD_4T),
            rows("v6e", "tpu-v6e-slice", "ct6e-standard-4t", 4, CT6E_STANDARD_4T),
            rows("v6e", "tpu-v6e-slice", "ct6e-standard-8t", 8, CT6E_STANDARD_8T),
            rows("v5p", "tpu-v5p-slice", "ct5p-hightpu-4t", 4, CT5P_HIGHTPU_4T),
            rows("v5e", "tpu-v5-lite-podslice", "ct5lp-hightpu-4t", 4, CT5LP_HIGHTPU_4T),
            rows("v5e", "tpu-v5-lite-podslice", "ct5lp-hightpu-8t", 8, CT5LP_HIGHTPU_8T),
            rows("v4", "tpu-v4-podslice", "ct4p-hightpu-4t", 4, CT4P_HIGHTPU_4T),
            rows("v5e", "tpu-v5-lite-podslice", "ct5lp-hightpu-1t", 1, ONE_CHIP),
            rows("v6e", "tpu-v6e-slice", "ct6e-standard-1t", 1, ONE_CHIP),
            rows("tpu7x", "tpu7x", "tpu7x-standard-1t", 1, "1x1x1=1/1"))
        .flatMap(rows -> rows);
  }

  private static Stream<Row> rows(
      String type, String gkeLabel, String machine, int chipsPerHost, String sizes) {
    return Arrays.stream(sizes.strip().split("\\s+"))
        .map(size -> size.split("[=/]"))
        .map(part -> new Size(part[0], Long.parseLong(part[1]), Integer.parseInt(part[2])))
        .map(size -> new Row(type, gkeLabel, machine, chipsPerHost, size));
  }
}
