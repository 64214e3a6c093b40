import type { Result } from '@farlink/gateway/protocol/message.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { Deed, DeedFault, type Doer } from './deed.ts';

const ended = (deed: Deed, result: Result): JsonObject => {
  if (result.st !== 'done') throw new DeedFault(result.err ?? 'failed');
  deed.say(`running ${deed.box.firmware.version}`, 99);
  return { version: deed.box.firmware.version, previous: deed.box.firmware.previous ?? '' };
};

/** `gateway-03.03.00.bin` says which version it is; one that does not is the next. */
const versionIn = (name: string, now: string): string => {
  const [found] = /\d{1,2}\.\d{1,2}\.\d{1,2}/.exec(name) ?? [];
  const [major = '03', minor = '00', patch = '00'] = now.split('.');
  return found ?? `${major}.${minor}.${String(Number(patch) + 1).padStart(2, '0')}`;
};

const sourceOf = (deed: Deed) => {
  const { source } = deed.extras;
  if (deed.text('source') === 'platform') {
    if (!source) throw new DeedFault(`no firmware ${deed.text('version')} on the platform`);
    return { ...source, any: deed.extras.any, version: deed.text('version') };
  }
  const file = deed.file('firmware');
  const wanted = deed.text('sha256');
  if (wanted !== '' && wanted !== file.sha256) throw new DeedFault('the file has another SHA-256');
  return { ...file, any: deed.extras.any, version: versionIn(file.name, deed.box.firmware.version) };
};

const work = async (deed: Deed): Promise<JsonObject> => {
  if (deed.flag('backup_first')) {
    deed.say('configuration saved', 3);
    await deed.wait(3);
  }
  if (deed.text('source') === 'rollback') {
    const { previous } = deed.box.firmware;
    if (previous === undefined) throw new DeedFault('there is no version before');
    deed.say(`going back to ${previous}`, 30);
    return ended(deed, await deed.box.firmware.rollback(previous));
  }
  const source = sourceOf(deed);
  deed.say(`loading ${source.version}, ${source.size} bytes`, 5);
  const act = { ...deed.act, say: ({ pct = 0 }: Result) => deed.say(`${pct} %`, pct) };
  return ended(deed, await deed.box.firmware.upgrade(source, act));
};

export const upgrade: Doer = async (deed) => {
  const at = deed.number('start_at');
  if (deed.text('schedule') !== 'at_time' || at <= deed.box.now()) return work(deed);
  deed.say(`waits until ${new Date(at * 1000).toISOString()}`, 2);
  // The command is over by then, and the power may have failed meanwhile: a deed of its own, which tells nobody.
  const { box, act, args, extras } = deed;
  void box.wait(at - box.now()).then(() => work(new Deed(box, { ...act, say: () => {} }, args, extras)).catch(() => {}));
  return { scheduled_at: at };
};
