import { watchCalls } from '@farlink/contract/config/watch.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { useState } from 'react';
import { call } from '../../../kit/net/call.ts';

const pollMs = 1000;
const timeoutMs = 60_000;
const pageRows = 100;
const maxRows = 5000;

const timeOf = (row: Values) => Number(row.time ?? 0);

/** Log rows, newest first, without duplicates. */
export const joined = (...lists: readonly (readonly Values[])[]): Values[] => {
  const rowsByText = new Map(lists.flat().map((row) => [JSON.stringify(row), row]));
  return [...rowsByText.values()].toSorted((a, b) => timeOf(b) - timeOf(a)).slice(0, maxRows);
};

/** Reads older log rows in chunks. */
export const useOlder = (device_id: number, page: string) => {
  const [rows, setRows] = useState<readonly Values[]>([]);
  const [state, setState] = useState<'idle' | 'reading' | 'over' | 'failed'>('idle');

  /** Requests once, then polls until the gateway has replied. */
  const read = async (before: number): Promise<{ rows: readonly Values[]; more: boolean } | undefined> => {
    const until = performance.now() + timeoutMs;
    for (let ask = true; performance.now() < until; ask = false) {
      const reply = await call(watchCalls.watch, { device_id, page, before, limit: pageRows, ask }, { silent: true, overlay: false });
      if (reply.at !== null) return reply;
      if (reply.state === 'offline' || reply.state === 'failed') return undefined;
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
    return undefined;
  };

  const load = async (shown: readonly Values[]) => {
    const last = shown.at(-1);
    if (!last || state === 'reading') return;
    setState('reading');
    const reply = await read(timeOf(last)).catch(() => undefined);
    setRows((old) => joined(old, reply?.rows ?? []));
    setState(!reply ? 'failed' : reply.more ? 'idle' : 'over');
  };
  return { rows, state, load };
};
