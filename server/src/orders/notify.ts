import { isLiveKind, type LiveKind } from '@farlink/contract/device/live.ts';
import { sql } from 'kysely';
import type { Db } from '../kit/deps.ts';

/** On which the processes that hold connections are woken: something waits for a gateway, or its connection must go. */
export const outChannel = 'farlink_field';

/** On which everybody hears what has changed at which devices, for pages that follow it live. */
export const deviceChannel = 'farlink_device';

export type OutNote =
  | { readonly wake: readonly string[] }
  /** Ends the connections of a gateway: all but one, or all but those that were opened with the key of this hash. */
  | { readonly end: string; readonly but?: string; readonly key?: string };

/** Part of the caller's transaction: heard when it commits. */
export const noteOut = async (db: Db, note: OutNote) => {
  await sql`select pg_notify(${outChannel}, ${JSON.stringify(note)})`.execute(db);
};

/** Whoever changes who a device is, or removes it, ends what speaks in its name. */
export const endConnections = (db: Db, sn: string) => noteOut(db, { end: sn });

/** Any database client may notify, so the text may be anything. */
const parseNote = (text: string): object | undefined => {
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
  if ('end' in note && typeof note.end === 'string')
    return {
      end: note.end,
      but: 'but' in note && typeof note.but === 'string' ? note.but : undefined,
      key: 'key' in note && typeof note.key === 'string' ? note.key : undefined,
    };
  return undefined;
};

export type DeviceChange = LiveKind;

/** PostgreSQL takes 8000 bytes a notice. */
const idsOfNotice = 500;

export const changeNotices = (changes: ReadonlyMap<DeviceChange, ReadonlySet<number>>): string[] =>
  [...changes].flatMap(([what, ids]) => {
    const all = [...ids];
    return Array.from({ length: Math.ceil(all.length / idsOfNotice) }, (_, i) =>
      JSON.stringify({ what, ids: all.slice(i * idsOfNotice, (i + 1) * idsOfNotice) }),
    );
  });

/** Part of the caller's transaction: pages that follow these devices hear of it when it commits. */
export const noteChange = async (db: Db, what: DeviceChange, ids: readonly number[]) => {
  for (const text of changeNotices(new Map([[what, new Set(ids)]]))) await sql`select pg_notify(${deviceChannel}, ${text})`.execute(db);
};

export const readChange = (text: string): { readonly what: DeviceChange; readonly ids: readonly number[] } | undefined => {
  const note = parseNote(text);
  if (!note || !('what' in note) || !('ids' in note)) return undefined;
  return isLiveKind(note.what) && Array.isArray(note.ids) ? { what: note.what, ids: note.ids.map(Number) } : undefined;
};
