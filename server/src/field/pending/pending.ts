import { commandState } from '@farlink/contract/protocol/command.ts';
import type { Network } from '@farlink/contract/protocol/network.ts';
import { witnessSection } from '@farlink/gateway/protocol/audit-witness.ts';
import { type Authorization, authorizationAt, mayReceive } from '@farlink/gateway/protocol/authorization.ts';
import { criticalOperations, linkWait } from '@farlink/gateway/protocol/command.ts';
import { linkClasses } from '@farlink/gateway/protocol/link.ts';
import { portalSectionName } from '@farlink/gateway/protocol/portal.ts';
import { receivedUpTo } from '@farlink/gateway/protocol/sequence.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { Pool } from 'pg';
import type { Config } from '../../env/config.ts';
import { brandSection } from '../../orders/brand-section.ts';
import { openPortalSection } from '../../orders/portal-section.ts';
import { openRadiusSection, radiusSection } from '../../orders/radius-section.ts';
import { brandFiles } from './brand-files.ts';
import type { BundleRow } from './bundle-message.ts';
import type { Outgoing } from './outgoing.ts';
import { pendingAccounts } from './pending-accounts.ts';
import { type BundlesFor, pendingBundles } from './pending-bundles.ts';
import { pendingDanger } from './pending-danger.ts';

interface Row extends Omit<BundleRow, 'section' | 'apply_id'> {
  readonly sn: string;
  readonly network: Network;
  readonly auth_status: Authorization;
  readonly auth_expire_at: number | null;
  readonly section: string | null;
  /** Null: the section is not part of a bundle. */
  readonly apply_id: number | null;
  readonly id: string;
  readonly op: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly deadline: number;
}

/**
 * Sections come before commands, and commands in creation order, 200 at a time. On L-band, commands allowed on that link come first, so
 * that the others do not block them.
 */
const pendingSql = {
  name: 'field_pending',
  text: `
    select d.id as device_id, d.sn, d.network, d.auth_status, d.auth_expire_at, d.boot, s.section, s.rev, s.hash, s.doc, s.apply_id, a.key as apply_key,
      a.state as apply_state, a.keep, a.trial_at, a.handed_at, null as id, null as op, null as args, null as deadline, 0 as kind, s.update_at as since
    from device d join desired_section s on s.device_id = d.id and not s.settled left join config_apply a on a.id = s.apply_id
    where d.sn = any($1::text[]) and (s.section not in ('${portalSectionName}', '${witnessSection}') or s.section = any(d.caps))
    union all
    select d.id, d.sn, d.network, d.auth_status, d.auth_expire_at, d.boot, null, null, null, null, null, null, null, null, null, null, c.id, c.op, c.args,
      c.deadline, 1, c.create_at
    from device d join lateral (
      select * from device_command c where c.device_id = d.id and c.state = ${commandState.ids.queued} and c.deadline > $2
      order by d.network = 'l_band' and not (c.op = any($3::text[]) or c.args ->> 'any' = 'true'), c.create_at, c.id limit 200
    ) c on true where d.sn = any($1::text[])
    order by kind, since, section, id`,
};

/** The document as the gateway gets it: secrets are decrypted, and URLs are valid from now. */
const sentDoc = ({ section, doc, device_id }: Row, config: Config, now: number): JsonObject => {
  if (section === radiusSection) return openRadiusSection(doc, config.secretKey);
  return section === portalSectionName ? openPortalSection(doc, device_id, config, now) : doc;
};

/** A portal is a download, and a checkpoint is not urgent: they wait for a link that is not billed by volume. */
const waitsForLink = ({ section, network }: Row) =>
  (section === portalSectionName || section === witnessSection) && !linkClasses[network].allowsHeavy;

const outgoing = (row: Row, config: Config, now: number, files?: Readonly<Record<string, string>>): Outgoing =>
  row.section === null
    ? {
        key: row.id,
        tail: `c/${row.op}`,
        body: JSON.stringify({ id: row.id, exp: row.deadline, ...row.args }),
        sent: { kind: 'sent_command', id: row.id },
      }
    : {
        key: `${row.section}@${row.rev}`,
        tail: `cfg/${row.section}`,
        body: JSON.stringify({
          rev: row.rev,
          h: row.hash,
          doc: sentDoc(row, config, now),
          ...(files && Object.keys(files).length > 0 && { f: files }),
        }),
        sent: { kind: 'sent_section', section: row.section, rev: row.rev },
      };

const isOfBundle = (row: Row): row is Row & BundleRow => row.section !== null && row.apply_id !== null;

/** Pending messages per gateway that fit its current link. First sends and resends both use this query. */
export const pendingFor = async (pool: Pool, config: Config, now: number, sns: readonly string[]): Promise<Map<string, Outgoing[]>> => {
  const { rows } = await pool.query<Row>({ ...pendingSql, values: [sns, now, criticalOperations] });
  const some = rows.filter((row) => mayReceive(authorizationAt(row.auth_status, row.auth_expire_at, now)));
  const bundleRows = Map.groupBy(some.filter(isOfBundle), ({ sn }) => sn);
  const bundles = [...bundleRows].flatMap(([sn, list]): BundlesFor[] => (list[0] ? [{ sn, network: list[0].network, rows: list }] : []));
  const found = bundles.length > 0 ? await pendingBundles(pool, config, now, bundles) : new Map<string, Outgoing[]>();
  for (const [sn, page] of await pendingAccounts(pool, now, sns)) found.set(sn, [...(found.get(sn) ?? []), page]);
  for (const [sn, page] of await pendingDanger(pool, now, sns)) found.set(sn, [...(found.get(sn) ?? []), page]);
  const brands = some.filter((row) => row.section === brandSection);
  const files = brands.length > 0 ? await brandFiles(pool, config, now, brands) : undefined;
  for (const row of some) {
    if (isOfBundle(row) || waitsForLink(row)) continue;
    const isBrand = row.section === brandSection;
    // A logo waits for a link that is not billed by volume, or for the revision that replaces it.
    if (isBrand && (!linkClasses[row.network].allowsHeavy || !files?.has(row.device_id))) continue;
    const out = outgoing(row, config, now, isBrand ? files?.get(row.device_id) : undefined);
    if (linkWait(row.network, Buffer.byteLength(out.body), row.section === null ? row.op : undefined, row.args)) continue;
    const list = found.get(row.sn) ?? [];
    list.push(out);
    found.set(row.sn, list);
  }
  return found;
};

/** Hello reply: the time, and the last complete batch of each stream. The gateway may delete those batches. */
export const helloRepliesFor = async (pool: Pool, now: number, sns: readonly string[]): Promise<Map<string, string>> => {
  const { rows } = await pool.query<{ sn: string; stream: string; taken: number[] }>({
    name: 'field_hello_reply',
    text: `select d.sn, s.stream, s.taken from device d join device_stream s on s.device_id = d.id and s.boot = d.boot where d.sn = any($1::text[])`,
    values: [sns],
  });
  const seen = new Map<string, Record<string, number>>(sns.map((sn) => [sn, {}]));
  for (const { sn, stream, taken } of rows) Object.assign(seen.get(sn) ?? {}, { [stream]: receivedUpTo(taken) });
  return new Map([...seen].map(([sn, streams]) => [sn, JSON.stringify({ t: now, seen: streams })]));
};
