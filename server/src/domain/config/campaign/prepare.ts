import { reasonTexts } from '@farlink/contract/config/campaign.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { type Selectable, sql } from 'kysely';
import { filesOf } from '../../../config-doc/files.ts';
import type { SessionInfo } from '../../../db/column-types.ts';
import type { ConfigCampaignTable } from '../../../db/tables.ts';
import type { Ctx, LogEntry } from '../../../kit/ctx.ts';
import type { Db, Deps } from '../../../kit/deps.ts';
import { noteInternalError } from '../../../kit/internal-error.ts';
import { inScope } from '../../../kit/list/scope.ts';
import { writeLogs } from '../../../kit/log/record.ts';
import { applyMany, type DesiredSections } from '../apply.ts';
import { docsOfMany, inForce, type SectionDocs } from '../documents.ts';
import { inheritanceOf } from '../inherited.ts';
import { loggedApply, type PageChange } from '../logged-apply.ts';
import { missingFiles } from '../stored-files.ts';
import { inTemplateScope } from '../template-scope.ts';
import { type CampaignSpec, openSpec, sectionsOf, sourceOf } from './campaign-spec.ts';
import { changeOf, type Outcome } from './change-of.ts';

export type Campaign = Selectable<ConfigCampaignTable>;

/** Devices computed and written together. */
const chunkSize = 25;
/** Maximum time before the event loop is released. */
const maxBlockMs = 4;

const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

interface Target {
  readonly id: number;
  readonly device_id: number;
}

/** One of several workers of a campaign: while one waits for the database, another computes. */
export interface Worker {
  readonly no: number;
  readonly of: number;
}

const queued = async (db: Db, campaignId: number, { no, of }: Worker): Promise<Target[]> => {
  const { rows } = await sql<Target>`
    select id, device_id from config_campaign_device
    where campaign_id = ${campaignId} and state = 'queued' and device_id % ${of} = ${no} order by device_id limit ${chunkSize}`.execute(db);
  return rows;
};

interface ReachableDevice {
  readonly id: number;
  readonly name: string;
  readonly sn: string;
  readonly inside: boolean;
}

/** Devices that the job owner still manages, and whether the template still applies to them. */
const reachable = async (
  db: Db,
  me: SessionInfo,
  spec: CampaignSpec,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ReachableDevice>> => {
  const scope =
    spec.kind === 'template'
      ? sql<boolean>`exists (select from config_template t join agent a on a.id = t.agent_id where t.id = ${spec.template_id} and ${inTemplateScope('d')})`
      : sql<boolean>`true`;
  const { rows } = await sql<ReachableDevice>`
    select d.id, d.name, d.sn, ${scope} as inside from device d where d.id = any(${ids}::bigint[]) and ${inScope(me, 'd.agent_id', 'd.id')}`.execute(
    db,
  );
  return new Map(rows.map((device) => [device.id, device]));
};

/** Fingerprint of the inputs of a computation. It differs if any input has changed meanwhile. */
const stamps = async (db: Db, ids: readonly number[]): Promise<Map<number, string>> => {
  const { rows } = await sql<{ id: number; stamp: string }>`
    select d.id, concat_ws(' ', d.agent_id, d.device_group_id,
      (select md5(string_agg(s.section || ' ' || s.rev || ' ' || s.hash, ',' order by s.section)) from desired_section s where s.device_id = d.id),
      (select md5(string_agg(r.section || ' ' || r.rev || ' ' || coalesce(r.hash, ''), ',' order by r.section))
        from reported_section r where r.device_id = d.id and (r.local or not r.ok))) as stamp
    from device d where d.id = any(${ids}::bigint[])`.execute(db);
  return new Map(rows.map(({ id, stamp }) => [id, stamp]));
};

type Changed = Extract<Outcome, { state: 'changed' }>;
type Unreadable = { readonly state: 'invalid'; readonly page: null; readonly path: null; readonly reason: Text };
/** `line`: the operator-log entry, written with the change. */
type TargetOutcome =
  | Exclude<Outcome, Changed>
  | (Changed & { readonly line: LogEntry })
  | { readonly state: 'stopped'; readonly reason: Text }
  | Unreadable;

/** The title of a copy names its source device, which readers of the log may not see. */
const actionOf = ({ kind, title_zh, title_en }: Campaign): Text => {
  if (kind === 'template') return [`下发配置模板 ${title_zh}`, `Applied configuration template ${title_en}`];
  return kind === 'bulk' ? ['批量修改', 'Bulk edit'] : ['复制配置', 'Copied configuration'];
};

const withLine = async (campaign: Campaign, device: ReachableDevice, known: SectionDocs, outcome: Changed): Promise<TargetOutcome> => {
  const changes = new Map<string, PageChange>();
  for (const [section, after] of outcome.docs) {
    const now = known.get(section);
    if (now) changes.set(section, { before: inForce(now), after });
  }
  return { ...outcome, line: await loggedApply(device, actionOf(campaign), changes, campaign.note) };
};

/** An internal error of one device is its result, so that it does not stop the others. */
const isolated = async <T>(deps: Deps, campaign_id: number, device_id: number, compute: () => T | Promise<T>): Promise<T | Unreadable> => {
  try {
    return await compute();
  } catch (err) {
    noteInternalError(deps.log, 'job', err, { campaign_id, device_id });
    return { state: 'invalid', page: null, path: null, reason: reasonTexts.unreadable };
  }
};

/** Computes and validates the outcomes, without locks. */
const computeOutcomes = async (
  deps: Deps,
  campaign: Campaign,
  me: SessionInfo,
  ids: readonly number[],
): Promise<Map<number, TargetOutcome>> => {
  const { secretKey } = deps.config;
  const spec = openSpec(campaign.spec, secretKey);
  const [managed, docs, inheritance] = await Promise.all([
    reachable(deps.db, me, spec, ids),
    docsOfMany(deps.db, ids, 'all', secretKey),
    inheritanceOf(deps.db, ids, sectionsOf(spec), secretKey),
  ]);
  const outcomes = new Map<number, TargetOutcome>();
  let since = performance.now();
  for (const id of ids) {
    const device = managed.get(id);
    const known = docs.get(id);
    if (!device?.inside || !known) {
      outcomes.set(id, { state: 'stopped', reason: device === undefined ? reasonTexts.moved : reasonTexts.outside });
      continue;
    }
    const change = await isolated(deps, campaign.id, id, () =>
      changeOf(spec, { docs: known, layersOf: (page) => inheritance.layersOf(id, page), force: campaign.force }),
    );
    const outcome = change.state === 'changed' ? await withFiles({ db: deps.db, me }, change, known) : change;
    outcomes.set(
      id,
      outcome.state === 'changed' ? await isolated(deps, campaign.id, id, () => withLine(campaign, device, known, outcome)) : outcome,
    );
    if (performance.now() - since > maxBlockMs) {
      await yieldToEventLoop();
      since = performance.now();
    }
  }
  return outcomes;
};

/** A file that a document refers to must be available for download. */
const withFiles = async (ctx: Pick<Ctx, 'db' | 'me'>, outcome: Changed, known: SectionDocs): Promise<Outcome> => {
  for (const [section, doc] of outcome.docs) {
    const page = gatewayPages.get(section);
    if (!page || filesOf(page, doc).length === 0) continue;
    const [lost] = await missingFiles(ctx, page, doc, [known.get(section)?.doc ?? {}]);
    if (lost) return { state: 'invalid', page: section, path: lost.path, reason: lost.text };
  }
  return outcome;
};

const outcomeColumns = (outcome: TargetOutcome, applyId: number | undefined) => {
  if (outcome.state === 'changed') return { state: applyId === undefined ? 'stopped' : 'waiting', apply_id: applyId ?? null };
  const reason = outcome.reason ? { reason_zh: outcome.reason[0], reason_en: outcome.reason[1] } : {};
  return outcome.state === 'invalid'
    ? { ...reason, state: outcome.state, page: outcome.page, path: outcome.path }
    : { ...reason, state: outcome.state };
};

const writeTargets = (db: Db, rows: readonly object[], now: number) =>
  sql`update config_campaign_device t set state = u.state, apply_id = u.apply_id, page = u.page, path = u.path, reason_zh = u.reason_zh,
      reason_en = u.reason_en, update_at = ${now}
    from json_to_recordset(${JSON.stringify(rows)}::json) as u(id bigint, state text, apply_id bigint, page text, path text, reason_zh text, reason_en text)
    where t.id = u.id`.execute(db);

/** Operator of a campaign and the request that started or retried it. */
interface Starter {
  readonly me: SessionInfo;
  readonly ip: string;
  readonly userAgent: string;
}

/**
 * Moves the next queued devices of a campaign to their apply operations, in one commit with their operator-log lines. Outcomes are computed
 * before locking; devices that changed meanwhile are left for the next run. Returns the number of devices. Undefined: nothing is left, or
 * the campaign was stopped.
 */
export const prepareChunk = async (deps: Deps, campaignId: number, by: Starter, worker: Worker): Promise<number | undefined> => {
  const { me } = by;
  const campaign = await deps.db.selectFrom('config_campaign').selectAll().where('id', '=', campaignId).executeTakeFirst();
  if (campaign?.state !== 'preparing') return undefined;
  const targets = await queued(deps.db, campaignId, worker);
  if (targets.length === 0) return undefined;
  const ids = targets.map(({ device_id }) => device_id);
  const before = await stamps(deps.db, ids);
  const outcomes = await computeOutcomes(deps, campaign, me, ids);
  return deps.db.transaction().execute(async (db) => {
    const { rows: campaigns } = await sql<{ state: string }>`select state from config_campaign where id = ${campaignId} for share`.execute(
      db,
    );
    if (campaigns[0]?.state !== 'preparing') return undefined;
    const { rows: locked } = await sql<Target>`
      select id, device_id from config_campaign_device
      where id = any(${targets.map(({ id }) => id)}::bigint[]) and state = 'queued' and device_id is not null order by id for update`.execute(
      db,
    );
    await sql`select from device where id = any(${ids}::bigint[]) order by id for no key update`.execute(db);
    const now = await stamps(db, ids);
    const unchanged = locked.filter(({ device_id }) => now.get(device_id) === before.get(device_id));
    const desired = unchanged.flatMap(({ device_id }): DesiredSections[] => {
      const outcome = outcomes.get(device_id);
      return outcome?.state === 'changed' ? [{ device: device_id, docs: outcome.docs, own: outcome.own }] : [];
    });
    const applied = await applyMany(db, desired, {
      source: sourceOf[campaign.kind],
      keep: campaign.keep,
      by: me,
      note: campaign.note,
      campaign_id: campaignId,
      now: deps.clock.now(),
      secretKey: deps.config.secretKey,
    });
    const rows = unchanged.flatMap(({ id, device_id }) => {
      const outcome = outcomes.get(device_id);
      return outcome ? [{ id, ...outcomeColumns(outcome, applied.get(device_id)) }] : [];
    });
    await writeTargets(db, rows, deps.clock.now());
    const lines = unchanged.flatMap(({ device_id }) => {
      const outcome = outcomes.get(device_id);
      return outcome?.state === 'changed' && applied.has(device_id) ? [outcome.line] : [];
    });
    await writeLogs(
      db,
      me,
      { ...by, now: deps.clock.now },
      lines.map((line) => ({ module: 'device', action: 'command', ...line })),
    );
    return rows.length;
  });
};
