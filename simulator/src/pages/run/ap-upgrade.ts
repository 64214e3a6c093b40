import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { ActionFault, type ActionRun, type RunHandler } from './action-run.ts';

const chosen = (run: ActionRun) => {
  const { aps } = run.gateway.view();
  const scope = run.text('scope');
  if (scope === 'ap') return aps.filter(({ mac }) => mac === run.text('ap'));
  if (scope !== 'group') return aps;
  const members = run.snapshot.rows('ac_ap_list').filter((row) => row.group === run.text('group'));
  return aps.filter(({ mac }) => members.some((row) => row.mac === mac));
};

/** The uploaded file is downloaded completely before an access point is switched off. */
const fetchFirmware = async (run: ActionRun) => {
  const file = run.file('firmware');
  run.print(`loading ${file.name}, ${file.size} bytes`);
  const act = { ...run.act, report: () => {} };
  const { code, err = 'failed' } = await run.gateway.files.load('ap firmware', { ...file, any: run.extras.any }, act);
  if (code !== 100) throw new ActionFault(err);
};

export const upgradeAps: RunHandler = async (run) => {
  const version = run.text('version') || (run.text('source') === 'upload' ? run.file('firmware').name : '');
  const at = run.number('start_at');
  if (run.text('schedule') === 'at_time' && at > run.gateway.now()) {
    run.print(`waits until ${new Date(at * 1000).toISOString()}`);
    await run.wait(at - run.gateway.now());
  }
  const aps = chosen(run);
  if (aps.length === 0) throw new ActionFault('no access point selected');
  if (run.text('source') === 'upload') await fetchFirmware(run);
  const size = run.number('batch_size', 5);
  const done: JsonObject[] = [];
  for (const [i, ap] of aps.entries()) {
    if (i % size === 0)
      run.print(
        `batch ${i / size + 1}: ${aps
          .slice(i, i + size)
          .map(({ name }) => name)
          .join(', ')}`,
      );
    const isUp = ap.s === 1;
    if (isUp) {
      run.gateway.world.lanSide.setAp(ap.name, false);
      await run.wait(25);
      run.gateway.world.lanSide.setAp(ap.name, true);
    }
    done.push({ ap: ap.name, mac: ap.mac, result: isUp ? 'success' : 'fail' });
    run.print(isUp ? `${ap.name}: ${version} installed` : `${ap.name}: offline, left out`, ((i + 1) / aps.length) * 100);
    if (!isUp && run.flag('stop_on_fail')) throw new ActionFault(`stopped at ${ap.name}: offline`);
  }
  return { upgraded: done.filter((one) => one.result === 'success').length, aps: done };
};
