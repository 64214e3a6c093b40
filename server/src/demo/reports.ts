import { sql } from 'kysely';
import { type DpiOrderInput, lockReportDevice, orderTask } from '../domain/dpi-task/order-task.ts';
import type { Deps } from '../kit/deps.ts';

const minute = 60;
const day = 86_400;
const kilobytes = 64;
const tenMegabytes = 10 * 1024 * 1024;

/** A report of the first minutes, a continuous one, one for tomorrow, and one of data that no gateway keeps. */
const ordersAt = (now: number): readonly DpiOrderInput[] => {
  const usual = { operate: 'report', mode: 'single', limit_speed: 0, limit_flow: 0, operator: 'admin', uid: null } as const;
  const atOnce = { method: 'immediate', report_at: null } as const;
  return [
    { ...usual, data_type: 'flow_usr', method: 'appointment', report_at: now + 10 * minute, start_at: now, end_at: now + 10 * minute },
    { ...usual, ...atOnce, data_type: 'flow_mgt', mode: 'continuous', start_at: null, end_at: null, limit_speed: kilobytes },
    {
      ...usual,
      data_type: 'dpi_usr',
      method: 'appointment',
      report_at: now + day,
      start_at: now,
      end_at: now + day,
      limit_flow: tenMegabytes,
    },
    { ...usual, ...atOnce, operate: 'estimate', data_type: 'flow_usr', start_at: now - 40 * day, end_at: now - 39 * day },
  ];
};

/** Orders reports of simulated gateways at the first start, as an operator does. */
export const orderDemoReports = async ({ db, config }: Pick<Deps, 'db' | 'config'>, ids: readonly number[], now: number) => {
  const ordered = await db.selectFrom('dpi_task').select('id').limit(1).executeTakeFirst();
  if (ordered) return;
  for (const [i, order] of ordersAt(now).entries()) {
    const id = ids[i];
    if (id === undefined) return;
    // Simulated gateways support reports; their first hello confirms it.
    await sql`update device set caps = array_append(caps, 'dpi') where id = ${id} and not 'dpi' = any(caps)`.execute(db);
    const device = await lockReportDevice(db, id);
    if (device) await orderTask({ db, config }, device, order, now);
  }
};
