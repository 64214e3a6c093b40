import type { Insertable } from 'kysely';
import type { Database } from '../src/db/tables.ts';

type Row = Insertable<Database['subscriber']>;

/** A subscriber row with default values. */
export const subscriberRow = (row: Pick<Row, 'agent_id' | 'account'> & Partial<Row>): Row => ({
  password: '-',
  account_type: 'personal',
  account_source: 'counter',
  name: '某人',
  phone: '13900000000',
  expire_at: 4_000_000_000,
  create_at: 1,
  update_at: 1,
  ...row,
});
