import type { runCalls as calls } from '@farlink/contract/config/run.ts';
import { calledOf, subjectOf } from '../../../domain/config/target.ts';
import { fail } from '../../../kit/fail.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { record } from '../../../kit/log/record.ts';
import { cancelCommand, sendCommand } from '../../../orders/command.ts';
import { argsOf, findRun, isOver } from './find-run.ts';

const stopS = 60;

/** A run that has not started is cancelled. A running one gets a stop command and reports its end itself. */
export const stopRun: Handler<typeof calls.stop> = async (ctx, { id }) => {
  const run = await findRun(ctx, id, 'write');
  const { device } = run;
  if (isOver(run)) throw fail('run_ended');
  const now = ctx.now();
  if (await cancelCommand(ctx.db, run.id, now)) {
    const open = Object.entries(argsOf(run)).filter(([name]) => !run.page.fields[name]?.secret);
    const args = JSON.stringify({ page: run.page.key, args: Object.fromEntries(open) });
    await ctx.db.updateTable('device_command').set({ args }).where('id', '=', run.id).execute();
  } else await sendCommand(ctx.db, device.id, 'page.stop', { run: run.id }, { now, deadline: now + stopS, by: ctx.me });
  const [zh, en] = run.page.title;
  record(ctx, [`中止设备 ${calledOf(device)} 上的“${zh}”`, `Stopped ${en} on device ${calledOf(device)}`], { subject: subjectOf(device) });
};
