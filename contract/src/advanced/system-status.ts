import { calls, shape } from '../kit/endpoint.ts';
import { tags, text, time } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import type { Text } from '../kit/text.ts';
import { headOf } from '../menu.ts';

export type StatusLevel = 'ok' | 'warning' | 'critical';

/** A limit that was passed. */
export interface StatusFinding {
  /** Identifies the alarm. */
  readonly name: string;
  readonly level: 'warning' | 'critical';
  readonly reason: Text;
  /** What an operator does about it. */
  readonly todo: Text;
}

/** Figures are null if they could not be read. */
export interface StatusSection<F> {
  readonly level: StatusLevel;
  readonly findings: readonly StatusFinding[];
  readonly figures: F | null;
}

/** A process. Figures of the process are null if it has not reported them. */
export interface StatusNode {
  readonly id: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly version: string;
  /** A newer version is running elsewhere. */
  readonly is_older: boolean;
  readonly address: string | null;
  readonly started_at: number;
  readonly seen_at: number;
  readonly is_gone: boolean;
  /** Longest delay of the event loop since the last heartbeat. */
  readonly loop_ms: number | null;
  /** Share of one core, in percent. */
  readonly cpu_percent: number | null;
  readonly memory_bytes: number | null;
  readonly pool: { readonly used: number; readonly waiting: number; readonly max: number } | null;
  readonly disk: { readonly free_bytes: number; readonly total_bytes: number } | null;
}

/** Seconds that the oldest waiting work has waited; 0 if none waits. */
export interface StatusLag {
  readonly ingest_s: number;
  /** Messages in the memory of the field process with the most. */
  readonly ingest_waiting: number;
  readonly rollup_s: number;
  /** Oldest hour whose traffic is not computed. */
  readonly rollup_hour: number | null;
  readonly seal_s: number;
  readonly job_s: number;
  readonly job_kind: string | null;
}

export interface StatusQueue {
  readonly waiting: number;
  readonly oldest_s: number;
}

export interface StatusJobKind {
  readonly kind: string;
  readonly waiting: number;
  readonly running: number;
  /** Failed in the last 24 hours. */
  readonly failed: number;
}

/** Counting stops at `limits.countCap`. */
export interface StatusQueues {
  readonly jobs: readonly StatusJobKind[];
  readonly mails: StatusQueue & { readonly failed: number; readonly has_server: boolean };
  readonly sms: StatusQueue & { readonly failed: number };
  readonly exports: StatusQueue;
  readonly commands: number;
  readonly sections: number;
  readonly usage: number;
  /** Sessions on a NAS that does not apply the limits of their accounts. */
  readonly not_enforced: number;
}

export interface StatusTable {
  readonly name: string;
  readonly bytes: number;
  /** Estimate of PostgreSQL; null before its first one. */
  readonly row_count: number | null;
  /** Partitions by the begin of their first week; null for the one with everything earlier. */
  readonly weeks: readonly { readonly from_at: number | null; readonly bytes: number }[];
}

export interface StatusDatabase {
  readonly bytes: number;
  /** Null until the console has run for that long. */
  readonly day_growth_bytes: number | null;
  readonly week_growth_bytes: number | null;
  readonly connections: { readonly used: number; readonly max: number };
  readonly oldest_transaction_s: number;
  readonly tables: readonly StatusTable[];
  /** Null without DATABASE_READ_URL. */
  readonly replica: { readonly is_used: boolean; readonly lag_s: number | null } | null;
}

export interface StatusBackup {
  /** `external`: a separate PostgreSQL, whose backups the console cannot read. */
  readonly kind: 'embedded' | 'external';
  readonly last_at: number | null;
  readonly bytes: number | null;
  readonly file_name: string | null;
  readonly failed_at: number | null;
  readonly error: string | null;
}

export interface StatusCertificate {
  readonly use: 'domain' | 'https' | 'mqtt' | 'radsec';
  readonly host: string;
  readonly expire_at: number;
}

export interface StatusListener {
  readonly node: string;
  readonly transport: 'endpoint' | 'broker';
  readonly is_connected: boolean;
  readonly gateways: number;
  readonly accepted_per_s: number;
  readonly refused_per_s: number;
}

export interface StatusBroker {
  readonly gateways: number;
  readonly listeners: readonly StatusListener[];
}

export interface StatusEvidence {
  readonly size: number;
  readonly signed_at: number | null;
  readonly stopped: Text | null;
  readonly conflicts: number;
  readonly verified_to: number | null;
  readonly verification: { readonly create_at: number; readonly state: string; readonly finding_count: number } | null;
}

export interface SystemStatus {
  readonly at: number;
  readonly level: StatusLevel;
  readonly nodes: StatusSection<readonly StatusNode[]>;
  readonly lag: StatusSection<StatusLag>;
  readonly queues: StatusSection<StatusQueues>;
  readonly database: StatusSection<StatusDatabase>;
  readonly backup: StatusSection<StatusBackup>;
  readonly certificates: StatusSection<readonly StatusCertificate[]>;
  readonly broker: StatusSection<StatusBroker>;
  readonly evidence: StatusSection<StatusEvidence>;
}

export type StatusSectionName = Exclude<keyof SystemStatus, 'at' | 'level'>;

export const systemStatusCalls = calls('advanced', ['system_status'], {
  read: { kind: 'tree', path: 'system/status', summary: ['系统状态', 'System status'], shape: shape<SystemStatus>() },
});

export const systemStatus = page({
  ...headOf('systemStatus'),
  // Processes.
  resource: resource({
    fields: {
      name: text(['进程', 'Process']),
      roles: tags(['角色', 'Roles']),
      version: text(['版本', 'Version']),
      create_at: time(['启动时间', 'Started at'], { sort: true }),
    },
    title: ['name'],
    columns: ['name', 'roles', 'version', 'create_at'],
    filters: [],
    orderby: 'create_at desc',
  }),
  forms: {},
  actions: {},
});
