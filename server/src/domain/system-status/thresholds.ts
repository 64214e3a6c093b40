/** Limits of the system status: a value at or above `warning` or `critical` is a finding. All limits are here. */

interface Limit {
  readonly warning: number;
  readonly critical: number;
}

const minute = 60;
const hour = 3600;
const day = 86_400;

export const thresholds = {
  /** A process without a heartbeat for this time counts as stopped. */
  nodeGoneS: 30,
  /** A stopped process is shown for this time. */
  nodeForgottenS: day,
  /** Time in which all processes start. */
  startS: 2 * minute,
  /** Difference between the clocks of a process and of the database. */
  clockMs: { warning: 5000, critical: 60_000 },
  loopMs: { warning: 500, critical: 5000 },
  /** Connections of the pool of a process, in percent of its maximum, while calls wait. */
  poolWaiting: { warning: 1, critical: 50 },
  /** Used share of the disk of DATA_DIR, in percent. */
  diskPercent: { warning: 85, critical: 95 },
  /** Usage is charged every half second. */
  ingestS: { warning: minute, critical: 5 * minute },
  /** A field process pauses its gateways at 4000 messages. */
  ingestWaiting: { warning: 2000, critical: 4000 },
  /** An hour is calculated at most 6 minutes after its first report. */
  rollupS: { warning: 20 * minute, critical: 2 * hour },
  /** Sealing runs each minute. */
  sealS: { warning: 5 * minute, critical: 30 * minute },
  jobS: { warning: 2 * minute, critical: 10 * minute },
  jobsFailed: { warning: 1, critical: 100 },
  mailS: { warning: 15 * minute, critical: 4 * hour },
  smsS: { warning: 5 * minute, critical: hour },
  /** Sessions on a NAS that does not apply the limits of their accounts. */
  notEnforced: { warning: 1, critical: 20 },
  exportS: { warning: hour, critical: 12 * hour },
  /** Connections of the database, in percent of its maximum. */
  connectionPercent: { warning: 80, critical: 95 },
  transactionS: { warning: 10 * minute, critical: 2 * hour },
  backupS: { warning: 26 * hour, critical: 3 * day },
  /** Rest of a certificate: lower is worse. */
  certificateLeftS: { warning: 21 * day, critical: 5 * day },
  /** An alarm is raised by the second check that finds its cause, so that a restart raises none. */
  raiseS: 45,
  /** An alarm is withdrawn when its cause is resolved for this time, so that a value near its limit raises one alarm. */
  resolvedS: 3 * minute,
} as const satisfies Record<string, Limit | number>;

/** Level of a value of which higher is worse. */
export const levelOf = (value: number, { warning, critical }: Limit): 'warning' | 'critical' | undefined =>
  value >= critical ? 'critical' : value >= warning ? 'warning' : undefined;
