import { fitsBilling } from '@farlink/contract/device/portal.ts';
import { fileTaskIds } from '@farlink/contract/file/choices.ts';
import type { PortalReason } from '@farlink/contract/market/portal-reasons.ts';
import { capabilityNames } from '@farlink/contract/protocol/capability.ts';
import { portalSectionName } from '@farlink/gateway/protocol/portal.ts';
import { document, type JsonObject, parse } from '@farlink/gateway/protocol/shape.ts';
import { sql } from 'kysely';
import type { Config } from '../../env/config.ts';
import type { Db, Deps } from '../../kit/deps.ts';
import { fail } from '../../kit/fail.ts';
import { consoleAddress } from '../../orders/file-exchange.ts';
import { notifyChange } from '../../orders/notify.ts';
import { restorePortalSection, setPortalSection } from '../../orders/portal-section.ts';
import { buildBundle } from './build-bundle.ts';
import { portalKeyOf } from './portal-key.ts';

/** Address of the portal that the console serves for a VNO, as gateways use it. */
const hostedPortalUrl = (config: Pick<Config, 'publicUrl' | 'port'>, code: string): string =>
  `${consoleAddress(config)}/portal/${encodeURIComponent(code)}/`;

type SendDeps = Pick<Deps, 'db' | 'config'>;

export interface SendablePortal {
  readonly id: number;
  readonly name: string;
  readonly rev: number;
  readonly billing_type: 'free' | 'charged';
  /** Path of its VNO. */
  readonly path: string;
}

export interface PortalReceiver {
  readonly id: number;
  readonly agent_id: number;
  readonly sn: string;
  readonly name: string;
  readonly billing_mode: number;
  readonly caps: readonly string[];
  readonly access_at: number | null;
  /** Path and merchant code of its VNO. */
  readonly path: string;
  readonly code: string;
}

/** Reason why a device cannot serve a portal. A gateway that has never connected may support it. */
export const incompatibilityOf = (
  portal: Pick<SendablePortal, 'billing_type' | 'path'>,
  device: Pick<PortalReceiver, 'path' | 'billing_mode' | 'caps' | 'access_at'>,
): 'portal_elsewhere' | 'billing_mismatch' | 'gateway_too_old' | undefined => {
  if (!device.path.startsWith(portal.path)) return 'portal_elsewhere';
  if (!fitsBilling(portal.billing_type, device.billing_mode)) return 'billing_mismatch';
  return device.access_at !== null && !device.caps.includes('portal') ? 'gateway_too_old' : undefined;
};

/** Locks the device, as everything that changes its sections does. */
export const lockReceiver = (db: Db, id: number): Promise<PortalReceiver | undefined> =>
  db
    .selectFrom('device')
    .innerJoin('agent', 'agent.id', 'device.agent_id')
    .select(['device.id', 'device.agent_id', 'device.sn', 'device.name', 'device.billing_mode', 'device.caps', 'device.access_at'])
    .select(['agent.path', 'agent.code'])
    .where('device.id', '=', id)
    .forNoKeyUpdate('device')
    .executeTakeFirst();

/** Ends the running send of the device, and returns the previous section. */
const replaceOpen = async (db: Db, deviceId: number, now: number): Promise<JsonObject | null | undefined> => {
  const replaced = await db
    .updateTable('portal_task')
    .set({ status: fileTaskIds.aborted, ended: true, err: 'replaced' satisfies PortalReason, update_at: now })
    .where('device_id', '=', deviceId)
    .where('ended', '=', false)
    .where('section_rev', 'is not', null)
    .returning('previous')
    .executeTakeFirst();
  return replaced?.previous;
};

const desiredDoc = async (db: Db, deviceId: number): Promise<JsonObject | null> => {
  const row = await db
    .selectFrom('desired_section')
    .select('doc')
    .where('device_id', '=', deviceId)
    .where('section', '=', portalSectionName)
    .executeTakeFirst();
  const parsed = parse(document, row?.doc);
  return 'value' in parsed ? parsed.value : null;
};

/** Makes the portal the desired one of the device. An offline gateway gets it when it returns. */
export const beginTask = async ({ db, config }: SendDeps, taskId: number, portal: SendablePortal, device: PortalReceiver, now: number) => {
  const bundle = await buildBundle({ db, config }, { portal_id: portal.id, rev: portal.rev }, now);
  const key = await portalKeyOf(db, config, device.id);
  if (key === undefined) throw fail('not_found');
  const inherited = await replaceOpen(db, device.id, now);
  const previous = inherited === undefined ? await desiredDoc(db, device.id) : inherited;
  const host = hostedPortalUrl(config, device.code);
  const section = { id: portal.id, h: bundle.sha256, n: bundle.size, billing: portal.billing_type, key, host };
  const { rev } = await setPortalSection(db, device.id, section, config, now);
  await db
    .updateTable('portal_task')
    .set((eb) => ({
      section_rev: rev,
      status: fileTaskIds.waiting,
      progress: 0,
      err: null,
      update_at: now,
      previous: previous && JSON.stringify(previous),
      tries: eb('tries', '+', 1),
    }))
    .where('id', '=', taskId)
    .execute();
  await db.updateTable('portal').set({ send_at: now }).where('id', '=', portal.id).execute();
};

interface SendOrder {
  readonly send_mode: 'immediate' | 'timed';
  readonly send_at: number;
  readonly operator: string;
}

/** Records a send. An immediate one begins at once, a timed one with the job at its time. */
export const orderPortal = async (deps: SendDeps, portal: SendablePortal, device: PortalReceiver, order: SendOrder, now: number) => {
  const incompatibility = incompatibilityOf(portal, device);
  if (incompatibility === 'gateway_too_old') throw fail(incompatibility, { args: [capabilityNames.portal] });
  if (incompatibility) throw fail(incompatibility);
  const { id } = await deps.db
    .insertInto('portal_task')
    .values({
      ...order,
      portal_id: portal.id,
      portal_name: portal.name,
      device_id: device.id,
      agent_id: device.agent_id,
      sn: device.sn,
      device_name: device.name,
      create_at: now,
      update_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (order.send_mode === 'immediate') await beginTask(deps, id, portal, device, now);
  return id;
};

/** Stops a send. If the gateway may have received it, the section before it is sent again. */
export const stopTask = async ({ db, config }: SendDeps, taskId: number, now: number) => {
  const task = await db
    .updateTable('portal_task')
    .set({ status: fileTaskIds.aborted, ended: true, err: 'stopped' satisfies PortalReason, update_at: now })
    .where('id', '=', taskId)
    .where('ended', '=', false)
    .returning(['device_id', 'section_rev', 'previous'])
    .executeTakeFirst();
  if (!task) throw fail('portal_task_ended');
  if (task.device_id === null || task.section_rev === null) return;
  const { rows } = await sql`select from desired_section where device_id = ${task.device_id} and section = ${portalSectionName}
    and rev = ${task.section_rev} and not settled`.execute(db);
  if (rows.length > 0) await restorePortalSection(db, task.device_id, task.previous, config, now);
};

/** New hardware or a new owner has another signing key, so its portal is sent again with that key. */
export const renewPortalSection = async ({ db, config }: SendDeps, deviceId: number, now: number) => {
  const doc = await desiredDoc(db, deviceId);
  const key = doc && typeof doc.h === 'string' ? await portalKeyOf(db, config, deviceId) : undefined;
  if (!doc || key === undefined) return;
  const { id, h, n, billing, host } = doc;
  if (typeof id !== 'number' || typeof h !== 'string' || typeof n !== 'number' || typeof host !== 'string') return;
  if (billing !== 'free' && billing !== 'charged') return;
  await setPortalSection(db, deviceId, { id, h, n, billing, key, host }, config, now);
  await notifyChange(db, 'record', [deviceId]);
};
