import type { Api } from './api.ts';

interface Victim {
  readonly agentId: number;
  readonly childId: number;
  readonly clerkId: number;
  readonly mark: string;
}

/** A hand-over of cash in the VNO of the victim, whose clerk still holds some, and a settlement with its child. */
export const makeVictimCash = async (api: Api, { agentId, childId, clerkId, mark }: Victim) => {
  await api.db.updateTable('customer').set({ income_used: '9.00' }).where('id', '=', clerkId).execute();
  const names = { receipt_no: `${mark}-H`, clerk: `${mark} clerk`, receiver: `${mark} receiver`, receiver_agent_id: agentId };
  const { id } = await api.db
    .insertInto('cash_handover')
    .values({ agent_id: agentId, customer_id: clerkId, ...names, amount: '5.00', cash_before: '14.00', create_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const month = { collector_id: agentId, agent_id: childId, period: '2020-01', payments: 1, paid: '9.00', refunds: 0, refunded: '0.00' };
  const settlement = await api.db
    .insertInto('settlement')
    .values({ ...month, note: mark, settled_by: mark, settled_at: 1, settled_agent_id: agentId })
    .returning('id')
    .executeTakeFirstOrThrow();
  const settlements = Object.fromEntries(['settle', 'reopen'].map((verb) => [`settlement/{id}/${verb}`, settlement.id]));
  return { rows: { 'cash/handover/{id}': id, 'cash/handover/{id}/reverse': id, ...settlements }, fields: { customer_id: clerkId } };
};
