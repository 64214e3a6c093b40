import type { Network } from '@farlink/gateway/protocol/link.ts';
import type { Pool } from 'pg';
import type { Config } from '../config.ts';
import type { Outgoing } from './pending.ts';
import { type OpenSet, openSet, type SetGroup, type SetRow, setBody, setsOf, setWaits } from './set-message.ts';

/** Sections of one gateway that belong to an application, and the link that it has. */
export interface SetsFor {
  readonly sn: string;
  readonly network: Network;
  readonly rows: readonly SetRow[];
}

/** Beyond its trial by so much, a gateway knows how it ended and tells when it is asked again. */
const graceS = 60;

const isOnTrial = ({ apply }: SetGroup, now: number) => apply?.apply_state === 2 && now <= (apply.trial_at ?? 0) + apply.keep + graceS;

/** From here on the gateway may know of them; what was withdrawn at the same moment stays here. */
const handOut = async (pool: Pool, sets: readonly SetGroup[], now: number): Promise<ReadonlySet<number>> => {
  const fresh = sets.flatMap(({ apply }) => (apply && apply.handed_at === null ? [apply.apply_id] : []));
  if (fresh.length === 0) return new Set();
  const { rows } = await pool.query<{ id: number }>({
    name: 'field_hand_out',
    text: 'update config_apply set handed_at = coalesce(handed_at, $2) where id = any($1::bigint[]) and state < 3 returning id',
    values: [fresh, now],
  });
  const taken = new Set(rows.map(({ id }) => id));
  return new Set(fresh.filter((id) => !taken.has(id)));
};

const heldFiles = async (pool: Pool, sets: readonly OpenSet[]): Promise<ReadonlySet<string>> => {
  const named = [...new Set(sets.flatMap(({ files }) => files.map(({ file }) => file.sha256)))];
  if (named.length === 0) return new Set();
  const { rows } = await pool.query<{ sha256: string; sealed: boolean }>({
    name: 'field_files',
    text: 'select sha256, sealed from config_file where sha256 = any($1::text[])',
    values: [named],
  });
  return new Set(rows.map(({ sha256, sealed }) => `${sha256} ${sealed}`));
};

const keeping = ({ id }: SetGroup): Outgoing => ({
  key: `keep ${id}`,
  tail: 'keep',
  body: JSON.stringify({ id }),
  sent: { kind: 'sent_keep', id },
});

/** What goes out for each gateway: sets that it does not have, and the word that lets it keep one that is on trial. */
export const pendingSets = async (pool: Pool, config: Config, now: number, all: readonly SetsFor[]): Promise<Map<string, Outgoing[]>> => {
  const groups = all.flatMap(({ sn, network, rows }) => setsOf(rows).map((group) => ({ sn, network, group })));
  const ready = groups.flatMap(({ sn, network, group }) => {
    if (isOnTrial(group, now)) return [];
    const set = openSet(group, config.secretKey);
    return setWaits(network, set.bytes, set.sections.length) ? [] : [{ sn, network, group, set }];
  });
  const withdrawn = await handOut(
    pool,
    ready.map(({ group }) => group),
    now,
  );
  const held = await heldFiles(
    pool,
    ready.map(({ set }) => set),
  );
  const out = new Map<string, Outgoing[]>();
  const add = (sn: string, one: Outgoing) => out.set(sn, [...(out.get(sn) ?? []), one]);
  for (const { sn, group } of groups) if (isOnTrial(group, now)) add(sn, keeping(group));
  for (const { sn, network, group, set } of ready) {
    if (group.apply && withdrawn.has(group.apply.apply_id)) continue;
    const sections = group.rows.map(({ section, rev }) => ({ section, rev }));
    add(sn, {
      key: `set ${group.id} ${sections.length}`,
      tail: 'set',
      body: setBody(config, set, network, held, now),
      sent: { kind: 'sent_set', id: group.id, sections },
    });
  }
  return out;
};
