import { commandState } from '@farlink/contract/protocol/command.ts';
import { networkOf } from '@farlink/contract/protocol/network.ts';
import { obj, oneOf, parse, str } from '@farlink/gateway/protocol/shape.ts';
import type { MovedCommand, NewEvent } from './commit-items.ts';
import type { Tx } from './tx.ts';

/** Values that the event does not contain are taken from the device row. */
const insertSql = `
  insert into wan_change (agent_id, device_id, sn, source, from_link, to_link, network, link_state, change_mode, link_lock, reason, result, operator, create_at)
  select u.agent, d.id, u.sn, u.source, u.from_link, u.to_link, u.network, u.link_state, coalesce(u.mode, d.change_mode),
    case when u.source = 'send' then coalesce(u.lock, d.link_lock) end, u.reason, u.result, u.operator, u.at
  from json_to_recordset($1::json) as u(agent bigint, device bigint, sn text, source text, from_link text, to_link text, network text, link_state text,
    mode text, lock text, reason text, result text, operator text, at bigint, ordinal bigint) join device d on d.id = u.device
  order by u.ordinal`;

interface Switch {
  readonly agent: number;
  readonly device: number;
  readonly sn: string;
  readonly source: 'send' | 'wan';
  readonly from_link: string | null;
  readonly to_link: string | null;
  readonly link_state: 'on' | 'off' | null;
  readonly mode: string | undefined;
  readonly lock?: string | undefined;
  readonly reason: string | null;
  readonly result?: 'success' | 'fail';
  readonly operator?: string | null;
  readonly at: number;
}

const log = async (tx: Tx, switches: readonly Switch[]) => {
  const rows = switches.map((s, index) => ({ ...s, network: networkOf(s.to_link), ordinal: index }));
  if (rows.length > 0) await tx.query('wan_change', insertSql, [JSON.stringify(rows)]);
};

/** `none` means no link. */
const linkOf = (name: unknown) => (typeof name === 'string' && name !== 'none' ? name : null);
const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

export const storeSwitches = (tx: Tx, events: readonly NewEvent[]) =>
  log(
    tx,
    events.map(({ agent, device, sn, at, doc }): Switch => {
      const to = linkOf(doc.to);
      const reported = { mode: textOf(doc.mode), reason: textOf(doc.why) ?? null };
      return {
        agent,
        device,
        sn,
        source: 'wan',
        from_link: linkOf(doc.from),
        to_link: to,
        link_state: to === null ? 'off' : 'on',
        ...reported,
        at,
      };
    }),
  );

const linkArgs = obj(
  {},
  {
    lock: oneOf(['unlocked', 'global', 'second_satellite']),
    mode: oneOf(['default', 'backup', 'roaming']),
    link: str(16),
  },
);

/** A lock to a network is stored as a lock to its link. */
const lockedTo: Readonly<Record<string, string>> = { global: '6d', second_satellite: 'low_orbit' };

const orderOf = ({ agent_id, device_id, sn, op, args, state, out, err, link, operator }: MovedCommand, now: number): Switch => {
  const parsed = parse(linkArgs, args);
  const { lock, mode, link: requested } = 'value' in parsed ? parsed.value : {};
  const isDone = state === commandState.id('done');
  const action = op === 'link.switch' ? 'switch' : lock === 'unlocked' ? 'unlock' : 'lock';
  const to = (isDone ? linkOf(out?.link) : null) ?? requested ?? (lock === undefined ? undefined : lockedTo[lock]) ?? null;
  return {
    agent: agent_id,
    device: device_id,
    sn,
    source: 'send',
    from_link: link,
    to_link: to,
    mode,
    lock,
    operator,
    at: now,
    link_state: isDone && to !== null ? 'on' : null,
    reason: isDone ? action : (err ?? (state === commandState.id('expired') ? 'no answer' : null)),
    result: isDone ? 'success' : 'fail',
  };
};

/** Logs link switches requested by the platform when their result is known. */
export const storeOrderedSwitches = (tx: Tx, commands: readonly MovedCommand[]) =>
  log(
    tx,
    commands.filter((c) => c.state >= commandState.id('done')).map((c) => orderOf(c, tx.now)),
  );
