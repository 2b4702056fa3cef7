// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Traces that can be read, and faults that are named with their line. */
class TraceReaderTest {
  private static final String HEADER = "id,submit_s,duration_s,devices,team,class,estimate_s\n";
  private static final int DEVICES = 8;

  @TempDir Path directory = Path.of("");

  private Trace read(String text) throws IOException {
    return TraceReader.read(
        Files.writeString(directory.resolve("trace.csv"), text), DEVICES, false);
  }

  private void assertFault(String text, String... parts) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(TraceFaultException.class)
        .hasMessageContaining("trace.csv")
        .hasMessageContainingAll(parts);
  }

  @Test
  void jobsAreOrderedBySubmitTimeThenByIdAsANumber() throws IOException {
    Trace trace = read(HEADER + "10,5,1,1,a,,\n9,5,2,8,\"b, c\",x,30\n\n100,0,3,1,,,\n");
    assertThat(trace.jobs())
        .containsExactly(
            new TraceJob(100, 0, 3, 1, "", null),
            new TraceJob(9, 5, 2, 8, "b, c", 30L),
            new TraceJob(10, 5, 1, 1, "a", null));
    assertThat(trace.countEstimates()).isEqualTo(1);
  }

  @Test
  void columnsMayComeInAnyOrderAndOthersAreIgnored() throws IOException {
    Trace trace = read("\ufeffdevices,user,duration_s,id,submit_s\r\n4,ann,60,7,1\r\n");
    assertThat(trace.jobs()).containsExactly(new TraceJob(7, 1, 60, 4, "", null));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x,0,1,1,,, | line 2: id is \"x\"; it must be a whole number of at most 18 digits",
        "-1,0,1,1,,, | line 2: id is \"-1\"",
        "1,-3,1,1,,, | line 2: submit_s is \"-3\"; it must be a whole number from 0 to 10000000000",
        "1,0.5,1,1,,, | line 2: submit_s is \"0.5\"",
        "1,99999999999999999999,1,1,,, | line 2: submit_s is \"99999999999999999999\"",
        "1,0,0,1,,, | line 2: duration_s is \"0\"; it must be a whole number from 1",
        "1,0,-5,1,,, | line 2: duration_s is \"-5\"",
        "1,0,1,0,,, | line 2: devices is \"0\"; it must be a whole number from 1",
        "1,0,1,9,,, | line 2: devices is 9, but the machine has 8",
        "1,0,1,,,, | line 2: devices is \"\"",
        "1,0,1,1,,,0 | line 2: estimate_s is \"0\"; it must be a whole number from 1",
        "1,0,1,1,,,soon | line 2: estimate_s is \"soon\"",
        "1,0,1,1 | line 2: 4 fields, but the header names 7 columns",
        "1,0,1,1,\"a,,5 | line 2: a double quote is not closed"
      },
      quoteCharacter = '\0')
  void aWrongFieldIsNamed(String line, String fault) {
    assertFault(HEADER + line + "\n", fault);
  }

  @Test
  void wrongFilesAreNamed() {
    assertFault("", "is empty");
    assertFault(HEADER, "has no jobs");
    assertFault("id,submit_s,duration_s\n", "line 1: there is no column devices");
    assertFault("id,id,submit_s,duration_s,devices\n", "line 1: column \"id\" is there twice");
    assertFault(
        HEADER + "1,0,1,1,,,\n2,0,1,1,,,\n1,0,1,1,,,\n",
        "line 4: id 1 is already the id of line 2");
    assertFault(HEADER + "1".repeat(5_000), "line 2 is longer than 4096 bytes");
    assertFault(
        HEADER + "1,0,10000000000,1,,,\n".replace("1,0", "%d,0").repeat(500).formatted(ids(500)),
        "the durations up to this line sum to");
  }

  private static Object[] ids(int count) {
    Object[] ids = new Object[count];
    Arrays.setAll(ids, at -> at);
    return ids;
  }

  @Test
  void teamsAreRequiredForQuota() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("trace.csv"), "id,submit_s,duration_s,devices\n1,0,1,1\n");
    assertThatThrownBy(() -> TraceReader.read(file, DEVICES, true))
        .isInstanceOf(TraceFaultException.class)
        .hasMessageContaining("there is no column team");
  }

  @Test
  void bytesThatAreNoTextAreNamed() throws IOException {
    Path file = directory.resolve("trace.csv");
    byte[] good = (HEADER + "1,0,1,1,,,\n2,0,1,1,").getBytes(StandardCharsets.UTF_8);
    byte[] bytes = Arrays.copyOf(good, good.length + 2);
    bytes[good.length] = (byte) 0xff;
    bytes[good.length + 1] = (byte) 0xfe;
    Files.write(file, bytes);
    assertThatThrownBy(() -> TraceReader.read(file, DEVICES, false))
        .isInstanceOf(TraceFaultException.class)
        .hasMessageContaining("trace.csv, line 3 is not UTF-8 text");
  }

  @Test
  void gzipIsReadAndItsDamageIsNamed() throws IOException {
    StringBuilder text = new StringBuilder(HEADER);
    for (int id = 0; id < 5_000; id++) {
      text.append(id).append(',').append((long) id * id % 7_919).append(",1,1,,,\n");
    }
    byte[] packed = gzip(text.toString());
    Path file = directory.resolve("trace.csv.gz");
    Files.write(file, packed);
    assertThat(TraceReader.read(file, DEVICES, false).jobs()).hasSize(5_000);
    for (int length : new int[] {2, 5, packed.length / 2, packed.length - 4}) {
      Files.write(file, Arrays.copyOf(packed, length));
      assertThatThrownBy(() -> TraceReader.read(file, DEVICES, false))
          .as("%d bytes", length)
          .isInstanceOf(TraceFaultException.class)
          .hasMessageContaining("trace.csv.gz, line ")
          .hasMessageContaining("the gzip data ends early");
    }
    byte[] damaged = packed.clone();
    damaged[packed.length - 6] ^= 1;
    Files.write(file, damaged);
    assertThatThrownBy(() -> TraceReader.read(file, DEVICES, false))
        .isInstanceOf(TraceFaultException.class)
        .hasMessageContaining("the gzip data is damaged");
    Files.writeString(file, text);
    assertThatThrownBy(() -> TraceReader.read(file, DEVICES, false))
        .isInstanceOf(TraceFaultException.class)
        .hasMessageContaining("is not compressed by gzip");
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return packed.toByteArray();
  }

  @Test
  void oneBrokenLineOfAMillionIsNamed() throws IOException {
    Path file = directory.resolve("trace.csv");
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write(HEADER);
      for (int id = 1; id <= 1_000_000; id++) {
        out.write(id == 876_543 ? id + ",oops,1,1,,,\n" : id + ",0,1,1,,,\n");
      }
    }
    assertThatThrownBy(() -> TraceReader.read(file, DEVICES, false))
        .isInstanceOf(TraceFaultException.class)
        .hasMessageContaining("line 876544: submit_s is \"oops\"");
  }
}
