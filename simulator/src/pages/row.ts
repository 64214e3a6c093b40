import type { Json } from '@farlink/gateway/protocol/shape.ts';
import type { GatewaySnapshot } from './gateway-snapshot.ts';

/** A line of a page, by the names of its columns. */
export type Row = Readonly<Record<string, Json>>;

/** What a page shows now. */
export type StatusReader = (snapshot: GatewaySnapshot) => readonly Row[];

/** A line of a log; `time` is its place. */
export type LogRow = Row & { readonly time: number };

/** What a log has, the newest first, as far back as it goes and somebody reads. */
export type LogReader = (snapshot: GatewaySnapshot, before: number) => Iterable<LogRow>;
