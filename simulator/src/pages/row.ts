import type { Json } from '@farlink/gateway/protocol/shape.ts';
import type { GatewaySnapshot } from './gateway-snapshot.ts';

/** A row of a page, by column name. */
export type Row = Readonly<Record<string, Json>>;

/** Current rows of a status page. */
export type StatusReader = (snapshot: GatewaySnapshot) => readonly Row[];

/** A log row, ordered by `time`. */
export type LogRow = Row & { readonly time: number };

/** Log rows before a time, newest first. The reader can stop at any row. */
export type LogReader = (snapshot: GatewaySnapshot, before: number) => Iterable<LogRow>;
