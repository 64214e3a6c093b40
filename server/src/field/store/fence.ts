import type { Tx } from './tx.ts';

/** Another process has taken the gateways of this one over. What it holds is old and must not be stored. */
export class Fenced extends Error {}

/**
 * Checks in the transaction of a write that this process is still registered. A process that was paused for longer than its lease has lost
 * its row, or the row has another number. The lock keeps the row until the commit.
 */
export const checkEpoch = async (tx: Tx, epoch: number | undefined) => {
  if (epoch === undefined) return;
  const rows = await tx.query('fence', 'select from field_node where id = $1 and epoch = $2 for share', [tx.node, epoch]);
  if (rows.length === 0) throw new Fenced(`gateways of ${tx.node} were taken over`);
};
