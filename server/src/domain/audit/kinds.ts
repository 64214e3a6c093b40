import type { AuditStream } from '@farlink/gateway/protocol/audit.ts';

export const auditKinds = ['auth', 'identity', 'url', 'forum', 'mail', 'terminal'] as const;
export type AuditKind = (typeof auditKinds)[number];

/** A plain column of a row: name, type and field on the wire. */
export type AuditColumn = readonly [column: string, type: 'text' | 'integer' | 'bigint', wire: string];

/** A value that is kept in the sealed blob of the row: name, and field on the wire. */
type SealedValue = readonly [name: string, wire: string];

export interface AuditKindSpec {
  readonly stream: AuditStream;
  readonly table: `audit_${AuditKind}`;
  /** Plain values as reported, in the order of the canonical form `c1`. Never reorder: proofs depend on it. */
  readonly columns: readonly AuditColumn[];
  /** Reported values that are sealed; the row has a commitment to all of them. In the order of the commitment. */
  readonly sealed: readonly SealedValue[];
  /** Plain column that is shown masked. A salted commitment replaces it in the proofs of rows that have one. */
  readonly masked?: 'identity' | 'author';
}

const at: AuditColumn = ['at', 'bigint', 'at'];
const account: AuditColumn = ['account', 'text', 'acc'];
const ip: AuditColumn = ['ip', 'text', 'ip'];
const mac: AuditColumn = ['mac', 'text', 'mac'];
const server: readonly AuditColumn[] = [
  ['server_ip', 'text', 'sip'],
  ['server_port', 'integer', 'sp'],
];

export const auditSpecs: Readonly<Record<AuditKind, AuditKindSpec>> = {
  auth: {
    stream: 'a_auth',
    table: 'audit_auth',
    columns: [
      ...[at, account, ip, mac],
      ['auth_action', 'text', 'act'],
      ['login_at', 'bigint', 'li'],
      ['logout_at', 'bigint', 'lo'],
      ['public_ip', 'text', 'pip'],
      ['port_range', 'text', 'pr'],
      ['session_id', 'text', 'sid'],
    ],
    sealed: [],
  },
  identity: {
    stream: 'a_id',
    table: 'audit_identity',
    columns: [...[at, account, ip, mac], ['app_name', 'text', 'app'], ['identity', 'text', 'id'], ['action', 'text', 'act'], ...server],
    sealed: [],
    masked: 'identity',
  },
  url: {
    stream: 'a_url',
    table: 'audit_url',
    columns: [
      ...[at, account, ip, mac],
      ['host', 'text', 'h'],
      ['url', 'text', 'u'],
      ['title', 'text', 't'],
      ['category', 'text', 'cat'],
      ...server,
    ],
    sealed: [],
  },
  forum: {
    stream: 'a_bbs',
    table: 'audit_forum',
    columns: [
      ...[at, account, ip, mac],
      ['forum_name', 'text', 'f'],
      ['forum_action', 'text', 'act'],
      ['author', 'text', 'au'],
      ['url', 'text', 'u'],
    ],
    sealed: [
      ['title', 't'],
      ['content', 'c'],
    ],
    masked: 'author',
  },
  mail: {
    stream: 'a_mail',
    table: 'audit_mail',
    columns: [...[at, account, ip, mac], ['direction', 'text', 'dir'], ['attach_count', 'integer', 'n'], ['size', 'bigint', 'sz']],
    sealed: [
      ['sender', 'from'],
      ['receiver', 'to'],
      ['cc', 'cc'],
      ['subject', 'sub'],
    ],
  },
  terminal: {
    stream: 'a_term',
    table: 'audit_terminal',
    columns: [
      ...[at, account, ip, mac],
      ['brand', 'text', 'br'],
      ['terminal_os', 'text', 'os'],
      ['ssid', 'text', 'ssid'],
      ['signal', 'integer', 'sig'],
    ],
    sealed: [],
  },
};

/** Values of the subscriber that the console adds to rows of `auth`, in the order of the commitment. They are sealed too. */
export const addedValues = ['name', 'phone', 'id_number'] as const;
export type AddedValue = (typeof addedValues)[number];

/** Kind of each stream. */
const kinds: Readonly<Record<AuditStream, AuditKind>> = {
  a_auth: 'auth',
  a_id: 'identity',
  a_url: 'url',
  a_bbs: 'forum',
  a_mail: 'mail',
  a_term: 'terminal',
};
export const kindOfStream = (stream: AuditStream): AuditKind => kinds[stream];
