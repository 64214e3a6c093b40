import { factoryDocs } from '@farlink/gateway/kit/config.ts';
import { hashOf } from '@farlink/gateway/protocol/shadow.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { isOfBinding } from '../../config/platform.ts';
import type { Act } from '../../operations/result.ts';
import { makeBackup, restoreBackup } from '../../operations/system.ts';
import { ActionFault, type ActionRun, type RunHandler } from './action-run.ts';
import { rollBackUnlessReachable } from './roll-back.ts';

/** Sections that the gateway needs to stay reachable. */
const links = /^(network_(wan|cellular)|satellite_route_|link_change_)/;

/** Runs another operation; its progress becomes the progress of this run. */
const inside = (run: ActionRun, args: JsonObject): Act => ({
  id: run.act.id,
  args: { ...args, any: run.extras.any === true },
  report: ({ pct = 0 }) => run.print(`${pct} %`, pct * 0.9),
});

const save = async (run: ActionRun): Promise<JsonObject> => {
  const names = run.gateway.sections.names;
  run.print(`${names.length} sections${run.text('note') ? `, ${run.text('note')}` : ''}`, 20);
  await run.wait(3);
  if (!run.flag('to_platform')) return { sections: names.length };
  const { put } = run.extras;
  if (put === undefined) throw new ActionFault('no upload URL');
  const result = await makeBackup(run.gateway, inside(run, { put, kind: 'manual' }));
  if (result?.st !== 'done') throw new ActionFault(result?.err ?? 'failed');
  run.print(`sent to the platform, ${String(result.out?.size)} bytes`, 95);
  return { sections: names.length, file: { ...result.out } };
};

const restore = async (run: ActionRun): Promise<JsonObject> => {
  const from = run.extras.source ?? run.file('backup_file');
  const { sections } = run.gateway;
  const before = sections.documents();
  run.print('loading the backup', 5);
  const { url, sha256, size } = from;
  const result = await restoreBackup(run.gateway, inside(run, { url, sha256, size }));
  if (result?.st !== 'done') throw new ActionFault(result?.err ?? 'failed');
  if (run.flag('keep_links')) for (const [name, doc] of Object.entries(before)) if (links.test(name)) run.gateway.changeLocally(name, doc);
  run.print(`${String(result.out?.sections)} sections applied${run.flag('keep_links') ? ', WAN and satellite unchanged' : ''}`, 90);
  const minutes = run.number('rollback');
  const were = sections.names.map((name): [string, JsonObject] => [name, before[name] ?? factoryDocs.get(name) ?? {}]);
  const changed = were.filter(([name, doc]) => hashOf(sections.doc(name)) !== hashOf(doc));
  if (minutes > 0) await rollBackUnlessReachable(run, new Map(changed), minutes * 60);
  return { sections: result.out?.sections ?? 0 };
};

const reset = async (run: ActionRun): Promise<JsonObject> => {
  const preserved = (name: string) =>
    (run.flag('reset_keep_links') && links.test(name)) || (run.flag('reset_keep_license') && isOfBinding(name)) || !factoryDocs.has(name);
  const names = run.gateway.sections.names.filter((name) => !preserved(name));
  for (const name of names) run.gateway.changeLocally(name, factoryDocs.get(name) ?? {});
  run.print(`${names.length} sections reset to factory values\nrestarting`, 60);
  await run.gateway.restart();
  return { sections: names.length };
};

export const backup: RunHandler = (run) => {
  const operation = run.text('operation');
  return operation === 'restore' ? restore(run) : operation === 'reset' ? reset(run) : save(run);
};
