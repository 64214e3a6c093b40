import { isLiveKind, type LiveKind } from '@farlink/contract/device/live.ts';
import { sql } from 'kysely';
import type { Db } from '../kit/deps.ts';

/** Channel for processes that hold connections: messages are pending for a gateway, or its connection must end. */
export const outChannel = 'farlink_field';

/** Channel for pages with live updates: changes of devices, and of received notices. */
export const liveChannel = 'farlink_device';

export type OutNote =
  | { readonly wake: readonly string[] }
  /** All connected gateways: a list that they share has changed. */
  | { readonly deliverAll: true }
  /** Ends the connections of a gateway: all except one, or all except those that used the key with this hash. */
  | { readonly end: string; readonly but?: string; readonly key?: string };

/** Part of the caller's transaction: sent on commit. */
export const noteOut = async (db: Db, note: OutNote) => {
  await sql`select pg_notify(${outChannel}, ${JSON.stringify(note)})`.execute(db);
};

/** Ends the connections of a device that is removed or changes its identity. */
export const endConnections = (db: Db, sn: string) => noteOut(db, { end: sn });

/** Any database client may notify, so the text is untrusted. */
export const parseNote = (text: string): object | undefined => {
  try {
    const note: unknown = JSON.parse(text);
    return typeof note === 'object' && note !== null ? note : undefined;
  } catch {
    return undefined;
  }
};

export const readNote = (text: string): OutNote | undefined => {
  const note = parseNote(text);
  if (!note) return undefined;
  if ('wake' in note && Array.isArray(note.wake)) return { wake: note.wake.map(String) };
  if ('deliverAll' in note) return { deliverAll: true };
  if ('end' in note && typeof note.end === 'string')
    return {
      end: note.end,
      but: 'but' in note && typeof note.but === 'string' ? note.but : undefined,
      key: 'key' in note && typeof note.key === 'string' ? note.key : undefined,
    };
  return undefined;
};

export type DeviceChange = LiveKind;

/** PostgreSQL limits a notification to 8000 bytes. */
const idsOfNotice = 500;

export const changeNotices = (changes: ReadonlyMap<DeviceChange, ReadonlySet<number>>): string[] =>
  [...changes].flatMap(([what, ids]) => {
    const all = [...ids];
    return Array.from({ length: Math.ceil(all.length / idsOfNotice) }, (_, i) =>
      JSON.stringify({ what, ids: all.slice(i * idsOfNotice, (i + 1) * idsOfNotice) }),
    );
  });

/** Part of the caller's transaction: pages that show these devices are notified on commit. */
export const noteChange = async (db: Db, what: DeviceChange, ids: readonly number[]) => {
  for (const text of changeNotices(new Map([[what, new Set(ids)]]))) await sql`select pg_notify(${liveChannel}, ${text})`.execute(db);
};

export const readChange = (text: string): { readonly what: DeviceChange; readonly ids: readonly number[] } | undefined => {
  const note = parseNote(text);
  if (!note || !('what' in note) || !('ids' in note)) return undefined;
  return isLiveKind(note.what) && Array.isArray(note.ids) ? { what: note.what, ids: note.ids.map(Number) } : undefined;
};
