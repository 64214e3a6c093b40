import { binding } from '@farlink/gateway/protocol/authorization.ts';
import type { Db } from '../kit/deps.ts';
import { notifyConnections } from './notify.ts';

/** Lets a gateway bind again. Its key is void; the gateway that claims the SN next gets a new key. */
export const resetBinding = async (db: Db, deviceId: number) => {
  const { sn } = await db
    .updateTable('device')
    .set((eb) => ({
      key_hash: null,
      key_hint: null,
      key_used_at: null,
      hardware_id: eb.ref('claim_hardware_id'),
      claim_hardware_id: null,
      status: binding.normal,
    }))
    .where('id', '=', deviceId)
    .returning('sn')
    .executeTakeFirstOrThrow();
  await notifyConnections(db, { end: sn });
};
