interface HeapIndex {
  readonly table: string;
  /** Name of the index of the whole table, and end of the name of the index of a partition. */
  readonly name: string;
  readonly suffix: string;
  readonly using: string;
}

const stored = (table: string): HeapIndex => ({
  table,
  name: `${table}_stored`,
  suffix: 'stored',
  using: 'brin (stored_at) with (pages_per_range = 32)',
});

/** Columnar storage has neither BRIN nor GIN. On Citus each partition that is not packed has its own index instead of one of the table. */
export const heapIndexes: readonly HeapIndex[] = [
  ...['audit_auth', 'audit_identity', 'audit_url', 'audit_forum', 'audit_mail', 'audit_terminal'].map(stored),
  { table: 'audit_mail', name: 'audit_mail_receiver', suffix: 'receiver', using: 'gin (receiver_index)' },
];

/** Statements that create the indexes of one partition. */
export const heapIndexSql = (table: string, partition: string): string[] =>
  heapIndexes
    .filter((index) => index.table === table)
    .map(({ suffix, using }) => `create index if not exists ${partition}_${suffix} on ${partition} using ${using}`);
