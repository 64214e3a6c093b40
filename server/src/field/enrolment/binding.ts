import { type Binding, binding } from '@farlink/gateway/protocol/authorization.ts';
import type { Enrol } from '@farlink/gateway/protocol/message.ts';
import { sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';
import { hashToken } from '../../kit/session/secret.ts';
import { keyColumns, newKey } from '../../orders/device-key.ts';
import { issueLogin } from '../../orders/device-login.ts';

export interface Enrolled {
  readonly st: Binding;
  readonly key?: string;
}

/** Too many unknown gateways at once. The caller retries later. */
export class EnrolLimited extends Error {}

/** Returns true if one more unknown SN may be added to this VNO, or to the platform list when no VNO is given. */
export type MayAdd = (db: Db, vno: { readonly id: number; readonly waiting: number } | undefined) => Promise<boolean>;

/** Keeps unknown callers from filling the table. */
const maxUnclaimed = 1000;

const unclaimed: readonly number[] = [binding.unbound, binding.codeError];

interface Known {
  readonly id: number;
  readonly agent_id: number;
  readonly status: number;
  readonly key_used_at: number | null;
  readonly hardware_id: string | null;
}

interface EnrolRequest {
  readonly sn: string;
  readonly code: string;
  readonly enrol: Enrol;
  readonly now: number;
}

const countOf = async (db: Db, agentId: number, status: readonly Binding[]) => {
  const { n } = await db
    .selectFrom('device')
    .select(sql<number>`count(*)`.as('n'))
    .where('agent_id', '=', agentId)
    .where('status', 'in', status)
    .executeTakeFirstOrThrow();
  return n;
};

const enrolColumns = ({ code, enrol }: EnrolRequest) => ({
  merchant_code: code || null,
  hardware_id: enrol.hw,
  model: enrol.model ?? null,
  version: enrol.fw ?? null,
});

/** The hardware of an unclaimed row is stored as its hash. */
const isSame = (stored: string | null, hw: string): boolean => stored === hw || stored === hashToken(hw);

/**
 * Stores a gateway without a valid merchant code for the platform to review. A stranger chooses the texts of such a request, so none is
 * stored. Only the same hardware may update the row.
 */
const keepUnclaimed = async (
  db: Db,
  platformId: number,
  request: EnrolRequest,
  device: Known | undefined,
  mayAdd: MayAdd,
): Promise<Enrolled> => {
  const status = request.code === '' ? binding.unbound : binding.codeError;
  if (!device) {
    if ((await countOf(db, platformId, [binding.unbound, binding.codeError])) >= maxUnclaimed) return { st: status };
    if (!(await mayAdd(db, undefined))) throw new EnrolLimited();
    const row = { agent_id: platformId, name: request.sn, sn: request.sn, create_at: request.now, status };
    await db
      .insertInto('device')
      .values({ ...row, hardware_id: hashToken(request.enrol.hw) })
      .execute();
  } else if (device.agent_id === platformId && unclaimed.includes(device.status) && isSame(device.hardware_id, request.enrol.hw))
    await db.updateTable('device').set({ status, merchant_code: null }).where('id', '=', device.id).execute();
  return { st: status };
};

/** Records a conflicting claim of an SN (key already used, or other hardware), so that an operator can decide. */
const noteClaim = async (db: Db, device: Known, { enrol, code }: EnrolRequest, st: Binding): Promise<Enrolled> => {
  const claim = isSame(device.hardware_id, enrol.hw) ? {} : { claim_hardware_id: enrol.hw };
  await db
    .updateTable('device')
    .set({ status: st, merchant_code: code, ...claim })
    .where('id', '=', device.id)
    .execute();
  return { st };
};

/** Adds an SN that is new to the VNO. It waits for an operator, unless the VNO approves new devices automatically. */
const addUnknown = async (
  db: Db,
  vno: { readonly id: number; readonly enrol_auto: boolean },
  request: EnrolRequest,
  device: Known | undefined,
  mayAdd: MayAdd,
) => {
  const waiting = vno.enrol_auto ? 0 : await countOf(db, vno.id, [binding.waiting]);
  if (!(await mayAdd(db, { id: vno.id, waiting }))) throw new EnrolLimited();
  const row = {
    ...enrolColumns(request),
    agent_id: vno.id,
    status: vno.enrol_auto ? binding.normal : binding.waiting,
    claim_hardware_id: null,
  };
  const { id } = device
    ? await db.updateTable('device').set(row).where('id', '=', device.id).returning('id').executeTakeFirstOrThrow()
    : await db
        .insertInto('device')
        .values({ ...row, name: request.sn, sn: request.sn, create_at: request.now })
        .returning('id')
        .executeTakeFirstOrThrow();
  return id;
};

const issueKey = async (db: Db, id: number, request: EnrolRequest): Promise<Enrolled> => {
  const key = newKey();
  await db
    .updateTable('device')
    .set({ ...keyColumns(key), ...enrolColumns(request), status: binding.normal, claim_hardware_id: null })
    .where('id', '=', id)
    .execute();
  await issueLogin(db, id, request.now);
  return { st: binding.normal, key };
};

/**
 * Issues the device key of a VNO once, to a gateway that sends the merchant code. A key that was used is not issued again, and a known SN
 * on other hardware gets no key: an operator decides.
 */
export const enrolDevice = (
  db: Db,
  sn: string,
  code: string,
  enrol: Enrol,
  now: number,
  mayAdd: MayAdd = async () => true,
): Promise<Enrolled> =>
  db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(7205, hashtext(${sn}))`.execute(tx);
    const request: EnrolRequest = { sn, code, enrol, now };
    const platform = await tx.selectFrom('agent').select('id').where('agent_level', '=', 0).executeTakeFirstOrThrow();
    const vno =
      code === '' ? undefined : await tx.selectFrom('agent').select(['id', 'enrol_auto']).where('code', '=', code).executeTakeFirst();
    const device = await tx
      .selectFrom('device')
      .select(['id', 'agent_id', 'status', 'key_used_at', 'hardware_id'])
      .where('sn', '=', sn)
      .forUpdate()
      .executeTakeFirst();
    if (!vno) return keepUnclaimed(tx, platform.id, request, device, mayAdd);
    const isSameHardware = !device || device.hardware_id === null || isSame(device.hardware_id, enrol.hw);
    const isUnclaimed = device?.key_used_at === null && device.agent_id === platform.id && unclaimed.includes(device.status);
    const isRejected = device?.status === binding.rejected;
    if (isRejected && device.agent_id === vno.id && isSameHardware) return { st: binding.rejected };
    if (!device || isUnclaimed || isRejected) {
      const id = await addUnknown(tx, vno, request, device, mayAdd);
      return vno.enrol_auto ? issueKey(tx, id, request) : { st: binding.waiting };
    }
    // The merchant code of another VNO changes nothing here.
    if (device.agent_id !== vno.id) return { st: binding.codeError };
    if (device.status === binding.waiting)
      return isSameHardware ? { st: binding.waiting } : noteClaim(tx, device, request, binding.waiting);
    if (!isSameHardware) return noteClaim(tx, device, request, binding.reset);
    return device.key_used_at === null ? issueKey(tx, device.id, request) : noteClaim(tx, device, request, binding.repeated);
  });
