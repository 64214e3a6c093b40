import { type Env, number, setting } from './setting.ts';

/** How long data of gateways is kept. Audit data has its own settings. */
export const retentionSettings = {
  telemetryDays: setting(
    'TELEMETRY_DAYS',
    'Retention in days of load, tracks and traffic of links, in whole weeks; at least 100, because gateways may report the last 90',
    number(100, 3650),
    '370',
  ),
  trafficReportDays: setting(
    'TRAFFIC_REPORT_DAYS',
    'Retention in days of reported traffic of users, applications and gateways, in whole weeks; the tables per hour and day remain',
    number(100, 3650),
    '100',
  ),
  trafficDays: setting('TRAFFIC_DAYS', 'Retention in days of traffic per hour and day, in whole partitions', number(366, 3650), '1095'),
  logDays: setting(
    'LOG_DAYS',
    'Retention in days of events, device logs, finished commands, ended DPI reporting tasks and sessions; at least 366, because a query can cover a year',
    number(366, 3650),
    '400',
  ),
};

export const retentionConfig = (env: Env) =>
  Object.freeze({
    telemetryDays: retentionSettings.telemetryDays.in(env),
    reportDays: retentionSettings.trafficReportDays.in(env),
    trafficDays: retentionSettings.trafficDays.in(env),
    logDays: retentionSettings.logDays.in(env),
  });
