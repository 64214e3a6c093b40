import type { Result } from '@farlink/gateway/protocol/message.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { ActionFault, ActionRun, type RunHandler } from './action-run.ts';

const ended = (run: ActionRun, result: Result): JsonObject => {
  if (result.st !== 'done') throw new ActionFault(result.err ?? 'failed');
  run.print(`running ${run.gateway.firmware.version}`, 99);
  return { version: run.gateway.firmware.version, previous: run.gateway.firmware.previous ?? '' };
};

/** Version in a file name such as `gateway-03.03.00.bin`; otherwise the next patch version. */
const versionIn = (name: string, now: string): string => {
  const [found] = /\d{1,2}\.\d{1,2}\.\d{1,2}/.exec(name) ?? [];
  const [major = '03', minor = '00', patch = '00'] = now.split('.');
  return found ?? `${major}.${minor}.${String(Number(patch) + 1).padStart(2, '0')}`;
};

const sourceOf = (run: ActionRun) => {
  const { source } = run.extras;
  if (run.text('source') === 'platform') {
    if (!source) throw new ActionFault(`no firmware ${run.text('version')} on the platform`);
    return { ...source, any: run.extras.any, version: run.text('version') };
  }
  const file = run.file('firmware');
  const expected = run.text('sha256');
  if (expected !== '' && expected !== file.sha256) throw new ActionFault('the file has another SHA-256');
  return { ...file, any: run.extras.any, version: versionIn(file.name, run.gateway.firmware.version) };
};

const work = async (run: ActionRun): Promise<JsonObject> => {
  if (run.flag('backup_first')) {
    run.print('configuration saved', 3);
    await run.wait(3);
  }
  if (run.text('source') === 'rollback') {
    const { previous } = run.gateway.firmware;
    if (previous === undefined) throw new ActionFault('no previous version');
    run.print(`rolling back to ${previous}`, 30);
    return ended(run, await run.gateway.firmware.rollback(previous));
  }
  const source = sourceOf(run);
  run.print(`loading ${source.version}, ${source.size} bytes`, 5);
  const act = { ...run.act, report: ({ pct = 0 }: Result) => run.print(`${pct} %`, pct) };
  return ended(run, await run.gateway.firmware.upgrade(source, act));
};

export const upgrade: RunHandler = async (run) => {
  const at = run.number('start_at');
  if (run.text('schedule') !== 'at_time' || at <= run.gateway.now()) return work(run);
  run.print(`waits until ${new Date(at * 1000).toISOString()}`, 2);
  // The command has ended by then, so the run reports no output.
  const { gateway, act, args, extras } = run;
  void gateway
    .wait(at - gateway.now())
    .then(() => work(new ActionRun(gateway, { ...act, report: () => {} }, args, extras)).catch(() => {}));
  return { scheduled_at: at };
};
