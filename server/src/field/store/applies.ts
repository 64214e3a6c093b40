import { applyState } from '@farlink/contract/protocol/apply.ts';
import type { BundleItem, Delivered, Item, Tx } from './tx.ts';

/** Progress of apply operations with several sections, driven by gateway acknowledgements and replies. One statement per batch. */

const { waiting, sent, trial, applied, refused, rolled_back } = applyState.ids;

const sentSql = `
  update config_apply c set state = ${sent}, sent_at = $2 from json_to_recordset($1::json) as u(device bigint, id text)
  where c.key = u.id and c.device_id = u.device and c.state = ${waiting}`;

export const storeSent = async (tx: Tx, items: readonly Item<Extract<Delivered, { kind: 'sent_set' }>>[]) => {
  await tx.query('sent_set', sentSql, [JSON.stringify(items.map(({ device, id }) => ({ device, id }))), tx.now]);
};

const awaitConfirmSql = `
  update config_apply c set state = ${trial}, trial_at = $2, sent_at = coalesce(c.sent_at, $2) from json_to_recordset($1::json) as u(device bigint, id text)
  where c.key = u.id and c.device_id = u.device and c.state < ${trial} returning c.device_id`;

/** The gateway has reconnected with a bundle under the rollback timer. The confirmation is sent again whenever it reports this state. */
export const storeAwaitingConfirmation = async (tx: Tx, items: readonly BundleItem[]) => {
  const rows = items.map(({ device, id }) => ({ device, id }));
  const moved = await tx.query<{ device_id: number }>('trial', awaitConfirmSql, [JSON.stringify(rows), tx.now]);
  for (const { device_id } of moved) tx.changed('section', device_id);
  for (const { sn } of items) tx.deliverTo.add(sn);
};

/**
 * An apply operation ends when the gateway has replied for all sections or refused one: a refused section cancels the others. The stored
 * reason is that of the faulty section.
 */
const moveSql = `
  with replied as (
    select distinct s.device_id, s.apply_id from json_to_recordset($1::json) as u(device bigint, section text, rev integer)
    join desired_section s on s.device_id = u.device and s.section = u.section and s.rev = u.rev where s.apply_id is not null
  ), progress as (
    select s.apply_id, bool_and(s.settled) as done,
      bool_or(coalesce(r.rev = s.rev and not r.local and not (r.ok and r.hash = s.hash), false)) as bad,
      (array_agg(coalesce(r.err, 'E_HASH ' || s.section) order by coalesce(r.err, '') like 'E_SET%', s.section)
        filter (where r.rev = s.rev and not r.local and not (r.ok and r.hash = s.hash)))[1] as err
    from replied a join desired_section s on s.device_id = a.device_id and s.apply_id = a.apply_id
    left join reported_section r on r.device_id = s.device_id and r.section = s.section
    group by s.apply_id
  ), moved as (
    update config_apply c set state = case when not progress.bad then ${applied} when progress.err like 'E_LOST%' then ${rolled_back} else ${refused} end, err = progress.err, finish_at = $2
    from progress where c.id = progress.apply_id and c.state < ${applied} and (progress.bad or progress.done)
    returning c.id, c.device_id, progress.bad
  ), explained as (
    update config_apply c set err = progress.err
    from progress where c.id = progress.apply_id and c.state = ${refused} and c.err like 'E_SET%' and progress.err not like 'E_SET%'
  )
  update desired_section s set settled = true
  from moved where moved.bad and s.device_id = moved.device_id and s.apply_id = moved.id and not s.settled`;

interface SectionReply {
  readonly device: number;
  readonly section: string;
  readonly rev: number;
}

export const moveApplies = async (tx: Tx, replies: readonly SectionReply[]) => {
  await tx.query('move_applies', moveSql, [JSON.stringify(replies), tx.now]);
};
