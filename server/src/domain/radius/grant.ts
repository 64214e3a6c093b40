import type { AccountEntry } from '@farlink/gateway/protocol/account.ts';
import {
  type AccountService,
  type AccountUsage,
  accountService,
  nextChange,
  phaseInUse,
} from '@farlink/gateway/protocol/account-service.ts';
import { sql } from 'kysely';
import { bounded } from '../../db/bounded.ts';
import { preparedByIds } from '../../db/prepare.ts';
import type { Db } from '../../kit/deps.ts';
import type { Access } from '../access/access.ts';
import { accountEntryOf } from '../access/account-entry.ts';

const byIds = sql.raw(preparedByIds);

/** What a session may use. Speeds in KB/s, 0 is unlimited; null is no limit. */
export interface Grant {
  readonly up: number;
  readonly down: number;
  readonly bytes: number | null;
  readonly seconds: number | null;
  readonly idle_s: number | null;
}

type Served = Exclude<AccountService, { readonly mode: 'stop' }>;
export type Granted = { readonly grant: Grant } | { readonly refused: Extract<AccountService, { readonly mode: 'stop' }>['reason'] };

const none: AccountUsage = { bytes: 0, seconds: 0, first: {} };
/** Number of future changes of service that are computed. */
const steps = 64;
const minShareBytes = 64 * 1024 ** 2;
const maxSeconds = 2_147_483_647;

const isSame = (service: AccountService, first: Served) =>
  service.mode !== 'stop' && service.up === first.up && service.down === first.down;

/** Bytes until the service stops or changes its speed. */
const bytesLeft = (entry: AccountEntry, first: Served, pending: AccountUsage, now: number): number | null => {
  let usage = pending;
  for (let i = 0; i < steps; i++) {
    const phase = phaseInUse(entry, usage, now);
    if (phase?.b === undefined) return null;
    usage = { ...usage, bytes: phase.b, first: { ...usage.first, [phase.h]: now } };
    if (!isSame(accountService(entry, usage, now), first)) break;
  }
  return usage.bytes - pending.bytes;
};

/** Seconds until the service stops or changes its speed, if no traffic does before. */
const secondsLeft = (entry: AccountEntry, first: Served, pending: AccountUsage, now: number): number | null => {
  let usage = pending;
  let at = now;
  for (let i = 0; i < steps; i++) {
    const phase = phaseInUse(entry, usage, at);
    if (phase) usage = { ...usage, first: { [phase.h]: at, ...usage.first } };
    const usedUp = phase?.s === undefined ? Infinity : at + (phase.s - usage.seconds);
    const next = Math.min(usedUp, nextChange(entry, usage, at));
    if (next === Infinity) return null;
    usage = { ...usage, seconds: pending.seconds + next - now };
    at = next;
    if (!isSame(accountService(entry, usage, at), first)) break;
  }
  return Math.min(maxSeconds, Math.max(1, at - now));
};

/** With several logins each gets a part, so that together they cannot use the quota several times. */
const sliceOf = (bytes: number | null, logins: number) =>
  bytes === null ? null : Math.min(bytes, Math.max(Math.floor(bytes / Math.max(1, logins)), minShareBytes));

/** What an account may use now, by the same rules as at a gateway. `pending` is usage that was reported and is not charged yet. */
export const grantOf = (access: Access, now: number, pending: AccountUsage = none): Granted => {
  const entry = accountEntryOf(access, '', { counter_id: 0, used_bytes: 0, used_seconds: 0 });
  const service = accountService(entry, pending, now);
  if (service.mode === 'stop') return { refused: service.reason };
  return {
    grant: {
      up: service.up,
      down: service.down,
      bytes: sliceOf(bytesLeft(entry, service, pending, now), access.allow_logins),
      seconds: secondsLeft(entry, service, pending, now),
      idle_s: access.idle_s,
    },
  };
};

/** Usage of these accounts that waits to be charged. */
export const pendingUsage = async (db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, AccountUsage>> => {
  const { rows } = await sql<{ id: number; bytes: number; seconds: number }>`${byIds}
    select subscriber_id as id, ${sql.raw(bounded('sum(up_bytes + down_bytes)'))} as bytes, sum(seconds)::bigint as seconds from usage
    where subscriber_id = any(${ids}::bigint[]) group by subscriber_id`.execute(db);
  return new Map(rows.map(({ id, bytes, seconds }) => [id, { bytes, seconds, first: {} }]));
};
