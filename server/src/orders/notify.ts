import { isLiveKind, type LiveKind } from '@farlink/contract/device/live.ts';
import { sql } from 'kysely';
import type { Db } from '../kit/deps.ts';

/** Channel for processes that hold connections: messages are pending for a gateway, or its connection must end. */
export const connectionChannel = 'farlink_field';

/** Channel for pages with live updates: changes of devices, and of received announcements. */
export const liveChannel = 'farlink_device';

export type ConnectionNotification =
  | { readonly wake: readonly string[] }
  /** All connected gateways: a list that they share has changed. */
  | { readonly deliverAll: true }
  /** Ends the connections of a gateway: all except one, or all except those that used the key with this hash. */
  | { readonly end: string; readonly but?: string; readonly key?: string };

/** Part of the caller's transaction: sent on commit. */
export const notifyConnections = async (db: Db, notification: ConnectionNotification) => {
  await sql`select pg_notify(${connectionChannel}, ${JSON.stringify(notification)})`.execute(db);
};

/** Ends the connections of a device that is removed or changes its identity. */
export const endConnections = (db: Db, sn: string) => notifyConnections(db, { end: sn });

/** Any database client may notify, so the text is untrusted. */
export const parseNotification = (text: string): object | undefined => {
  try {
    const notification: unknown = JSON.parse(text);
    return typeof notification === 'object' && notification !== null ? notification : undefined;
  } catch {
    return undefined;
  }
};

export const readConnectionNotification = (text: string): ConnectionNotification | undefined => {
  const notification = parseNotification(text);
  if (!notification) return undefined;
  if ('wake' in notification && Array.isArray(notification.wake)) return { wake: notification.wake.map(String) };
  if ('deliverAll' in notification) return { deliverAll: true };
  if ('end' in notification && typeof notification.end === 'string')
    return {
      end: notification.end,
      but: 'but' in notification && typeof notification.but === 'string' ? notification.but : undefined,
      key: 'key' in notification && typeof notification.key === 'string' ? notification.key : undefined,
    };
  return undefined;
};

export type DeviceChange = LiveKind;

/** PostgreSQL limits a notification to 8000 bytes. */
const idsPerNotification = 500;

export const changePayloads = (changes: ReadonlyMap<DeviceChange, ReadonlySet<number>>): string[] =>
  [...changes].flatMap(([what, ids]) => {
    const all = [...ids];
    return Array.from({ length: Math.ceil(all.length / idsPerNotification) }, (_, i) =>
      JSON.stringify({ what, ids: all.slice(i * idsPerNotification, (i + 1) * idsPerNotification) }),
    );
  });

/** Part of the caller's transaction: pages that show these devices are notified on commit. */
export const notifyChange = async (db: Db, what: DeviceChange, ids: readonly number[]) => {
  for (const text of changePayloads(new Map([[what, new Set(ids)]]))) await sql`select pg_notify(${liveChannel}, ${text})`.execute(db);
};

export const readChangeNotification = (text: string): { readonly what: DeviceChange; readonly ids: readonly number[] } | undefined => {
  const notification = parseNotification(text);
  if (!notification || !('what' in notification) || !('ids' in notification)) return undefined;
  return isLiveKind(notification.what) && Array.isArray(notification.ids)
    ? { what: notification.what, ids: notification.ids.map(Number) }
    : undefined;
};
