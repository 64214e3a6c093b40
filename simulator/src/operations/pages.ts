import { readingBytes, sparingPace, usualPace } from '@farlink/gateway/kit/run.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { linkClasses, networkOf } from '@farlink/gateway/protocol/link.ts';
import { int, type JsonObject, obj, str } from '@farlink/gateway/protocol/shape.ts';
import { epoch } from '@farlink/gateway/protocol/stream.ts';
import type { Box } from '../box.ts';
import { logPages, statusPages } from '../pages/registry.ts';
import type { Row } from '../pages/row.ts';
import { runPage } from '../pages/run/run-page.ts';
import { isStopped, stopRun } from '../pages/run/stops.ts';
import { Scene } from '../pages/scene.ts';
import { toldBy } from '../pages/told.ts';
import { done, fail, label, operation, type Run } from './operation.ts';

/** As many rows as fit into one message. */
const fitting = (rows: readonly Row[]): readonly Row[] => {
  let room = readingBytes;
  const end = rows.findIndex((row) => {
    room -= Buffer.byteLength(JSON.stringify(row)) + 1;
    return room < 0;
  });
  return end < 0 ? rows : rows.slice(0, end);
};

const firstOf = <T>(from: Iterable<T>, count: number): T[] => {
  const found: T[] = [];
  for (const one of from) {
    if (found.length >= count) break;
    found.push(one);
  }
  return found;
};

const reading = (box: Box, page: string, limit: number, before: number | undefined): JsonObject | undefined => {
  const scene = new Scene(box);
  const log = Object.hasOwn(logPages, page) ? logPages[page] : undefined;
  if (log) {
    const found = firstOf(log(scene, before ?? scene.now + 1), limit + 1);
    const rows = fitting(found.slice(0, limit));
    return { at: scene.now, rows, more: found.length > rows.length };
  }
  const status = Object.hasOwn(statusPages, page) ? statusPages[page] : undefined;
  const known = gatewayPages.get(page);
  const all = status ? status(scene) : known && (known.kind === 'list' || known.kind === 'form') ? toldBy(scene, known) : undefined;
  return all && { at: scene.now, rows: fitting(all.slice(0, limit)), total: all.length };
};

const read = operation(
  obj({ page: str(64) }, { every: int(1, 3600), secs: int(0, 600), limit: int(1, 500), before: epoch }),
  async (box, { page, before, ...asked }, act) => {
    const isDear = !linkClasses[networkOf(box.current)].heavy;
    const pace = isDear ? sparingPace : usualPace;
    const every = Math.max(asked.every ?? pace.every, isDear ? pace.every : 1);
    const secs = before === undefined ? Math.min(asked.secs ?? pace.secs, isDear ? pace.secs : 600) : 0;
    const limit = Math.min(asked.limit ?? pace.limit, isDear ? pace.limit : 500);
    const { boot } = box;
    for (let left = secs; ; left -= every) {
      const out = reading(box, page, limit, before);
      if (!out) return fail('no such page');
      if (left < every || isStopped(box, act.id)) return done(out);
      act.say({ st: 'run', pct: Math.round(((secs - left) / secs) * 100), out });
      await box.wait(every);
      if (box.boot !== boot) return fail('restarted');
    }
  },
);

const stop = operation(obj({ run: label }), (box, { run }) => (stopRun(box, run) ? done() : fail('not running')));

export const pageOperations: Readonly<Record<string, Run>> = { 'page.read': read, 'page.run': runPage, 'page.stop': stop };
