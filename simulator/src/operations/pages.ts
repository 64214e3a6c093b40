import { networkOf } from '@farlink/contract/protocol/network.ts';
import { defaultReadRate, meteredReadRate, type ReadRate, readingBytes } from '@farlink/gateway/kit/run.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { epoch } from '@farlink/gateway/protocol/epoch.ts';
import { linkClasses } from '@farlink/gateway/protocol/link.ts';
import type { Result } from '@farlink/gateway/protocol/message.ts';
import { int, type JsonObject, type Of, obj, str } from '@farlink/gateway/protocol/shape.ts';
import type { GatewayInternals } from '../gateway-internals.ts';
import { GatewaySnapshot } from '../pages/gateway-snapshot.ts';
import { logPages, statusPages } from '../pages/registry.ts';
import { reportedRows } from '../pages/reported-rows.ts';
import type { Row } from '../pages/row.ts';
import { runPage } from '../pages/run/run-page.ts';
import { beginRun, endRun, isStopped, stopRun } from '../pages/run/stops.ts';
import { label, operation, type Run } from './operation.ts';
import { type Act, done, fail } from './result.ts';

/** The first rows that fit into one message. */
const fitting = (rows: readonly Row[]): readonly Row[] => {
  let remaining = readingBytes;
  const end = rows.findIndex((row) => {
    remaining -= Buffer.byteLength(JSON.stringify(row)) + 1;
    return remaining < 0;
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

const reading = (gateway: GatewayInternals, page: string, limit: number, before: number | undefined): JsonObject | undefined => {
  const snapshot = new GatewaySnapshot(gateway);
  const log = Object.hasOwn(logPages, page) ? logPages[page] : undefined;
  if (log) {
    const found = firstOf(log(snapshot, before ?? snapshot.now + 1), limit + 1);
    const rows = fitting(found.slice(0, limit));
    return { at: snapshot.now, rows, more: found.length > rows.length };
  }
  const status = Object.hasOwn(statusPages, page) ? statusPages[page] : undefined;
  const known = gatewayPages.get(page);
  const all = status
    ? status(snapshot)
    : known && (known.kind === 'list' || known.kind === 'form')
      ? reportedRows(snapshot, known)
      : undefined;
  return all && { at: snapshot.now, rows: fitting(all.slice(0, limit)), total: all.length };
};

const order = obj({ page: str(64) }, { every: int(1, 3600), secs: int(0, 600), limit: int(1, 500), before: epoch });

/** The requested rate, limited by the current link. */
const rateOn = (gateway: GatewayInternals, request: Partial<ReadRate>): ReadRate => {
  if (linkClasses[networkOf(gateway.current)].allowsHeavy) return { ...defaultReadRate, ...request };
  const { every, secs, limit } = { ...meteredReadRate, ...request };
  return {
    every: Math.max(every, meteredReadRate.every),
    secs: Math.min(secs, meteredReadRate.secs),
    limit: Math.min(limit, meteredReadRate.limit),
  };
};

const readOn = async (gateway: GatewayInternals, { page, before, ...request }: Of<typeof order>, act: Act): Promise<Result> => {
  const { boot } = gateway;
  for (let gone = 0; ; ) {
    const { every, secs, limit } = rateOn(gateway, request);
    const out = reading(gateway, page, limit, before);
    if (!out) return fail('no such page');
    if (before !== undefined || secs - gone < every || isStopped(gateway, act.id)) return done(out);
    act.report({ st: 'run', pct: Math.round((gone / secs) * 100), out });
    await gateway.wait(every);
    gone += every;
    if (gateway.boot !== boot || !gateway.powered) return fail('restarted');
  }
};

const read = operation(order, async (gateway, args, act) => {
  beginRun(gateway, act.id);
  try {
    return await readOn(gateway, args, act);
  } finally {
    endRun(gateway, act.id);
  }
});

const stop = operation(obj({ run: label }), (gateway, { run }) => (stopRun(gateway, run) ? done() : fail('not running')));

export const pageOperations: Readonly<Record<string, Run>> = { 'page.read': read, 'page.run': runPage, 'page.stop': stop };
