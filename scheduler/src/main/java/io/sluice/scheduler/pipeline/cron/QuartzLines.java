// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.cron;

import com.cronutils.mapper.CronMapper;
import com.cronutils.model.Cron;
import com.cronutils.model.CronType;
import com.cronutils.model.SingleCron;
import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.field.CronField;
import com.cronutils.model.field.CronFieldName;
import com.cronutils.model.field.expression.Always;
import com.cronutils.model.field.expression.FieldExpression;
import com.cronutils.parser.CronParser;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Converts cron lines to Quartz's format. Quartz cannot restrict both the day of the month and of
 * the week: such a line becomes two, and a day that both permit is in each.
 */
public final class QuartzLines {
  /** Unix rules with a field for seconds; the converted lines have 0 for Sunday. */
  private static final CronDefinition UNIX =
      CronDefinitionBuilder.defineCron()
          .withSeconds()
          .and()
          .withMinutes()
          .and()
          .withHours()
          .and()
          .withDayOfMonth()
          .and()
          .withMonth()
          .and()
          .withDayOfWeek()
          .withValidRange(0, 7)
          .withMondayDoWValue(1)
          .withIntMapping(7, 0)
          .and()
          .instance();

  private static final CronMapper TO_QUARTZ =
      new CronMapper(
          UNIX,
          CronDefinitionBuilder.instanceDefinitionFor(CronType.QUARTZ),
          QuartzLines::withOneDay);

  private QuartzLines() {}

  /** One line, or two whose fire times together are those of the line. */
  public static List<String> of(CronLine line) {
    return line.hasBothDays()
        ? List.of(translated(line.written(true, false)), translated(line.written(false, true)))
        : List.of(translated(line.written(true, true)));
  }

  private static String translated(String line) {
    return TO_QUARTZ.map(new CronParser(UNIX).parse(line)).asString();
  }

  /** Quartz requires a question mark in the day field that is unrestricted. */
  private static Cron withOneDay(Cron cron) {
    Map<CronFieldName, CronField> fields = new EnumMap<>(cron.retrieveFieldsAsMap());
    CronField week = field(fields, CronFieldName.DAY_OF_WEEK);
    CronFieldName silent =
        week.getExpression() instanceof Always
            ? CronFieldName.DAY_OF_WEEK
            : CronFieldName.DAY_OF_MONTH;
    fields.put(
        silent,
        new CronField(
            silent, FieldExpression.questionMark(), field(fields, silent).getConstraints()));
    return new SingleCron(cron.getCronDefinition(), new ArrayList<>(fields.values()));
  }

  private static CronField field(Map<CronFieldName, CronField> fields, CronFieldName name) {
    CronField field = fields.get(name);
    if (field == null) {
      throw new IllegalStateException("a line without " + name);
    }
    return field;
  }
}
