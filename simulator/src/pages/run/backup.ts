import { factoryDocs } from '@farlink/gateway/kit/config.ts';
import { hashOf } from '@farlink/gateway/protocol/shadow.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { isOfBinding } from '../../config/platform.ts';
import type { Act } from '../../operations/operation.ts';
import { makeBackup, restoreBackup } from '../../operations/system.ts';
import { type Deed, DeedFault, type Doer } from './deed.ts';
import { keptIfReached } from './undo.ts';

/** Without these it could not be reached any more. */
const links = /^(network_(wan|cellular)|satellite_route_|link_change_)/;

/** An operation of its own, whose progress is ours. */
const inside = (deed: Deed, args: JsonObject): Act => ({
  id: deed.act.id,
  args: { ...args, any: deed.extras.any === true },
  say: ({ pct = 0 }) => deed.say(`${pct} %`, pct * 0.9),
});

const save = async (deed: Deed): Promise<JsonObject> => {
  const names = deed.box.sections.names;
  deed.say(`${names.length} sections${deed.text('note') ? `, ${deed.text('note')}` : ''}`, 20);
  await deed.wait(3);
  if (!deed.flag('to_platform')) return { sections: names.length };
  const { put } = deed.extras;
  if (put === undefined) throw new DeedFault('there is no place to send it to');
  const result = await makeBackup(deed.box, inside(deed, { put, kind: 'manual' }));
  if (result?.st !== 'done') throw new DeedFault(result?.err ?? 'failed');
  deed.say(`sent to the platform, ${String(result.out?.size)} bytes`, 95);
  return { sections: names.length, file: { ...result.out } };
};

const restore = async (deed: Deed): Promise<JsonObject> => {
  const from = deed.extras.source ?? deed.file('backup_file');
  const { sections } = deed.box;
  const before = sections.documents();
  deed.say('loading the backup', 5);
  const { url, sha256, size } = from;
  const result = await restoreBackup(deed.box, inside(deed, { url, sha256, size }));
  if (result?.st !== 'done') throw new DeedFault(result?.err ?? 'failed');
  if (deed.flag('keep_links')) for (const [name, doc] of Object.entries(before)) if (links.test(name)) deed.box.changeLocally(name, doc);
  deed.say(`${String(result.out?.sections)} sections are in force${deed.flag('keep_links') ? ', WAN and satellite as they were' : ''}`, 90);
  const minutes = deed.number('rollback');
  const were = sections.names.map((name): [string, JsonObject] => [name, before[name] ?? factoryDocs.get(name) ?? {}]);
  const changed = were.filter(([name, doc]) => hashOf(sections.doc(name)) !== hashOf(doc));
  if (minutes > 0) await keptIfReached(deed, new Map(changed), minutes * 60);
  return { sections: result.out?.sections ?? 0 };
};

const reset = async (deed: Deed): Promise<JsonObject> => {
  const kept = (name: string) =>
    (deed.flag('reset_keep_links') && links.test(name)) || (deed.flag('reset_keep_license') && isOfBinding(name)) || !factoryDocs.has(name);
  const names = deed.box.sections.names.filter((name) => !kept(name));
  for (const name of names) deed.box.changeLocally(name, factoryDocs.get(name) ?? {});
  deed.say(`${names.length} sections are as they left the factory\nrestarting`, 60);
  await deed.box.restart();
  return { sections: names.length };
};

export const backup: Doer = (deed) => {
  const operation = deed.text('operation');
  return operation === 'restore' ? restore(deed) : operation === 'reset' ? reset(deed) : save(deed);
};
