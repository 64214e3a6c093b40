import { applyState } from '@farlink/contract/protocol/apply.ts';
import type { Network } from '@farlink/contract/protocol/network.ts';
import type { Pool } from 'pg';
import type { Config } from '../../env/config.ts';
import { bundleWait } from '../../orders/bundle-wait.ts';
import { type Bundle, type BundleRow, bundleBody, bundlesOf, type OpenBundle, openBundle } from './bundle-message.ts';
import type { Outgoing } from './outgoing.ts';

/** Sections of one gateway that belong to apply operations, and its current link class. */
export interface BundlesFor {
  readonly sn: string;
  readonly network: Network;
  readonly rows: readonly BundleRow[];
}

/** Time after the rollback timer. After it the bundle is sent again and the gateway reports the result. */
const graceS = 60;

const awaitsConfirmation = ({ apply }: Bundle, now: number) =>
  apply?.apply_state === applyState.ids.trial && now <= (apply.trial_at ?? 0) + apply.keep + graceS;

/** Marks bundles as handed out, because the gateway may receive them from now on. Returns those that were withdrawn meanwhile. */
const handOut = async (pool: Pool, bundles: readonly Bundle[], now: number): Promise<ReadonlySet<number>> => {
  const unsent = bundles.flatMap(({ apply }) => (apply && apply.handed_at === null ? [apply.apply_id] : []));
  if (unsent.length === 0) return new Set();
  const { rows } = await pool.query<{ id: number }>({
    name: 'field_hand_out',
    text: `update config_apply set handed_at = coalesce(handed_at, $2) where id = any($1::bigint[]) and state < ${applyState.ids.applied} returning id`,
    values: [unsent, now],
  });
  const handedOut = new Set(rows.map(({ id }) => id));
  return new Set(unsent.filter((id) => !handedOut.has(id)));
};

const storedFiles = async (pool: Pool, bundles: readonly OpenBundle[]): Promise<ReadonlySet<string>> => {
  const named = [...new Set(bundles.flatMap(({ files }) => files.map(({ file }) => file.sha256)))];
  if (named.length === 0) return new Set();
  const { rows } = await pool.query<{ sha256: string; sealed: boolean }>({
    name: 'field_files',
    text: 'select sha256, sealed from config_file where sha256 = any($1::text[])',
    values: [named],
  });
  return new Set(rows.map(({ sha256, sealed }) => `${sha256} ${sealed}`));
};

const confirmation = ({ id }: Bundle): Outgoing => ({
  key: `keep ${id}`,
  tail: 'keep',
  body: JSON.stringify({ id }),
  sent: { kind: 'sent_keep', id },
});

/** Pending messages per gateway: bundles that are not applied yet, and confirmations that stop the rollback timer. */
export const pendingBundles = async (
  pool: Pool,
  config: Config,
  now: number,
  all: readonly BundlesFor[],
): Promise<Map<string, Outgoing[]>> => {
  const groups = all.flatMap(({ sn, network, rows }) => bundlesOf(rows).map((group) => ({ sn, network, group })));
  const ready = groups.flatMap(({ sn, network, group }) => {
    if (awaitsConfirmation(group, now)) return [];
    const bundle = openBundle(group, config.secretKey);
    return bundleWait(network, bundle.bytes, bundle.sections.length) ? [] : [{ sn, network, group, bundle }];
  });
  const withdrawn = await handOut(
    pool,
    ready.map(({ group }) => group),
    now,
  );
  const stored = await storedFiles(
    pool,
    ready.map(({ bundle }) => bundle),
  );
  const out = new Map<string, Outgoing[]>();
  const add = (sn: string, one: Outgoing) => out.set(sn, [...(out.get(sn) ?? []), one]);
  for (const { sn, group } of groups) if (awaitsConfirmation(group, now)) add(sn, confirmation(group));
  for (const { sn, network, group, bundle } of ready) {
    if (group.apply && withdrawn.has(group.apply.apply_id)) continue;
    const sections = group.rows.map(({ section, rev }) => ({ section, rev }));
    add(sn, {
      key: `set ${group.id} ${sections.length}`,
      tail: 'set',
      body: bundleBody(config, bundle, network, stored, now),
      sent: { kind: 'sent_set', id: group.id, sections },
    });
  }
  return out;
};
