import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { type Deed, DeedFault, type Doer } from './deed.ts';

const chosen = (deed: Deed) => {
  const { aps } = deed.box.view();
  const scope = deed.text('scope');
  if (scope === 'ap') return aps.filter(({ mac }) => mac === deed.text('ap'));
  if (scope !== 'group') return aps;
  const members = deed.scene.rows('ac_ap_list').filter((row) => row.group === deed.text('group'));
  return aps.filter(({ mac }) => members.some((row) => row.mac === mac));
};

/** What was uploaded must be here, and whole, before anything is switched off. */
const fetchFirmware = async (deed: Deed) => {
  const file = deed.file('firmware');
  deed.say(`loading ${file.name}, ${file.size} bytes`);
  const act = { ...deed.act, say: () => {} };
  const { code, err = 'failed' } = await deed.box.files.load('ap firmware', { ...file, any: deed.extras.any }, act);
  if (code !== 100) throw new DeedFault(err);
};

export const upgradeAps: Doer = async (deed) => {
  const version = deed.text('version') || (deed.text('source') === 'upload' ? deed.file('firmware').name : '');
  const at = deed.number('start_at');
  if (deed.text('schedule') === 'at_time' && at > deed.box.now()) {
    deed.say(`waits until ${new Date(at * 1000).toISOString()}`);
    await deed.wait(at - deed.box.now());
  }
  const aps = chosen(deed);
  if (aps.length === 0) throw new DeedFault('no access point is meant by this');
  if (deed.text('source') === 'upload') await fetchFirmware(deed);
  const size = deed.number('batch_size', 5);
  const done: JsonObject[] = [];
  for (const [i, ap] of aps.entries()) {
    if (i % size === 0)
      deed.say(
        `batch ${i / size + 1}: ${aps
          .slice(i, i + size)
          .map(({ name }) => name)
          .join(', ')}`,
      );
    const isUp = ap.s === 1;
    if (isUp) {
      deed.box.world.around.setAp(ap.name, false);
      await deed.wait(25);
      deed.box.world.around.setAp(ap.name, true);
    }
    done.push({ ap: ap.name, mac: ap.mac, result: isUp ? 'success' : 'fail' });
    deed.say(isUp ? `${ap.name}: ${version} installed` : `${ap.name}: offline, left out`, ((i + 1) / aps.length) * 100);
    if (!isUp && deed.flag('stop_on_fail')) throw new DeedFault(`stopped at ${ap.name}: offline`);
  }
  return { upgraded: done.filter((one) => one.result === 'success').length, aps: done };
};
