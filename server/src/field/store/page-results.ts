import { isRecord } from '@farlink/contract/kit/values.ts';
import { commandState } from '@farlink/contract/protocol/command.ts';
import { outputBytes } from '@farlink/gateway/kit/run.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { bytesOnAir } from '@farlink/gateway/protocol/link.ts';
import type { MovedCommand } from './commit-items.ts';
import type { ResultItem, Tx } from './tx.ts';

/** Limit of stored output lines per command. */
const maxLines = 20_000;

interface Line {
  readonly device: number;
  readonly id: string;
  readonly n: number;
  readonly text: string;
}
const lineOf = ({ device, id, body: { out } }: ResultItem): Line[] => {
  const { n, text } = out ?? {};
  if (typeof n !== 'number' || !Number.isInteger(n) || n < 0 || n >= maxLines || typeof text !== 'string') return [];
  return [{ device, id, n, text: text.slice(0, outputBytes) }];
};

/** Each line is stored once, in any order, also after the end. */
const outputSql = `
  with fresh as (
    insert into command_output (command_id, n, text, at)
    select c.id, u.n, u.text, $2 from json_to_recordset($1::json) as u(device bigint, id text, n integer, text text)
      join device_command c on c.id = u.id and c.device_id = u.device and c.op = 'page.run'
    order by c.id, u.n on conflict do nothing returning command_id
  )
  select distinct c.device_id from fresh join device_command c on c.id = fresh.command_id`;

interface Reading {
  readonly device: number;
  readonly id: string;
  readonly at: number;
  readonly rows: unknown[];
  readonly total: number | null;
  readonly more: boolean;
  readonly bytes: number;
}
const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 31;
const readingOf = ({ device, id, sn, body }: ResultItem): Reading[] => {
  const { at, rows, total, more } = body.out ?? {};
  if (typeof at !== 'number' || !Number.isSafeInteger(at) || !Array.isArray(rows)) return [];
  const bytes = bytesOnAir(`gw/1/${sn}/up/r/${id}`, JSON.stringify(body));
  return [{ device, id, at, rows: rows.filter(isRecord), total: isCount(total) ? total : null, more: more === true, bytes }];
};

/** Latest reading of a watched page. Older parts of a list stay in the result of their command. */
const readingSql = `
  insert into page_reading (device_id, page, asked_at, at, seen_at, rows, total, more, bytes)
  select distinct on (c.device_id, c.args ->> 'page') c.device_id, c.args ->> 'page', c.create_at, u.at, $2, u.rows, u.total, u.more, u.bytes
  from json_to_recordset($1::json) as u(device bigint, id text, at bigint, rows jsonb, total integer, more boolean, bytes integer)
    join device_command c on c.id = u.id and c.device_id = u.device and c.op = 'page.read' and not c.args ? 'before'
  order by c.device_id, c.args ->> 'page', c.create_at desc, u.at desc
  on conflict (device_id, page) do update set asked_at = excluded.asked_at, at = excluded.at, seen_at = excluded.seen_at, rows = excluded.rows,
    total = excluded.total, more = excluded.more, bytes = excluded.bytes
  where (excluded.asked_at, excluded.at) >= (page_reading.asked_at, page_reading.at)`;

/** Stores intermediate results of page reads and diagnostics: every result of a batch, not only the last. */
export const storePageResults = async (tx: Tx, items: readonly ResultItem[]) => {
  const lines = items.flatMap(lineOf);
  if (lines.length > 0)
    for (const { device_id } of await tx.query<{ device_id: number }>('command_output', outputSql, [JSON.stringify(lines), tx.now]))
      tx.changed('command', device_id);
  const readings = items.flatMap(readingOf);
  if (readings.length > 0) await tx.query('page_reading', readingSql, [JSON.stringify(readings), tx.now]);
};

/** Already stored in its own table, so the command need not contain it. */
export const isPassing = ({ st, out }: ResultItem['body']): boolean =>
  st === 'run' && (Array.isArray(out?.rows) || out?.text !== undefined);

/** Arguments with file URLs or passwords are secrets and are removed after use. */
const orders = ['put', 'f', 'source'];

export const openArguments = (page: string): string[] =>
  Object.entries(gatewayPages.get(page)?.fields ?? {}).flatMap(([name, { secret }]) => (secret ? [name] : []));

const forgetSql = `
  update device_command c set args = jsonb_set(c.args - $2::text[], '{args}', coalesce(c.args -> 'args', '{}') - u.names)
  from (select id, array(select json_array_elements_text(names)) as names from json_to_recordset($1::json) as r(id text, names json)) u
  where c.id = u.id`;

/** Removes secret arguments, because only the gateway needed them. */
export const forgetSecrets = async (tx: Pick<Tx, 'query'>, runs: readonly { readonly id: string; readonly page: string }[]) => {
  const rows = runs.map(({ id, page }) => ({ id, names: openArguments(page) }));
  if (rows.length > 0) await tx.query('run_forget', forgetSql, [JSON.stringify(rows), orders]);
};

export const handleRuns = async (tx: Tx, moved: readonly MovedCommand[]) => {
  const ended = moved.filter(({ state }) => state >= commandState.id('done'));
  await forgetSecrets(
    tx,
    ended.map(({ id, args }) => ({ id, page: String(args.page) })),
  );
};
