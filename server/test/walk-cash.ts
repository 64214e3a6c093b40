import type { Api } from './api.ts';

interface Victim {
  readonly agentId: number;
  readonly clerkId: number;
  readonly mark: string;
}

/** A hand-over of cash in the VNO of the victim, whose clerk still holds some. */
export const makeVictimCash = async (api: Api, { agentId, clerkId, mark }: Victim) => {
  await api.db.updateTable('customer').set({ income_used: '9.00' }).where('id', '=', clerkId).execute();
  const names = { receipt_no: `${mark}-H`, clerk: `${mark} clerk`, receiver: `${mark} receiver`, receiver_agent_id: agentId };
  const { id } = await api.db
    .insertInto('cash_handover')
    .values({ agent_id: agentId, customer_id: clerkId, ...names, amount: '5.00', cash_before: '14.00', create_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { rows: { 'cash/handover/{id}': id }, fields: { customer_id: clerkId } };
};
