import type { NewEvent } from './commit-items.ts';
import type { Tx } from './tx.ts';

/** The name of a rule is stored only if the rule belongs to the VNO of that time or to one above it. */
const insertSql = `
  insert into release_event (agent_id, device_id, sn, rule_id, rule_name, mac, result, reason, purpose, until, up_bytes, down_bytes, create_at)
  select u.agent, u.device, u.sn, nullif(u.rule, 0), r.name, lower(u.mac), u.st, u.why, u.purpose, u.until, u.u, u.d, u.at
  from json_to_recordset($1::json) as u(agent bigint, device bigint, sn text, rule bigint, mac text, st text, why text, purpose text, until bigint,
    u bigint, d bigint, at bigint, ordinal bigint)
    left join agent a on a.id = u.agent
    left join release_rule r on r.id = u.rule and r.agent_id = any(string_to_array(trim(both '/' from a.path), '/')::bigint[])
  order by u.ordinal`;

/** Stores releases that began, were refused or ended. */
export const storeTempReleases = async (tx: Tx, events: readonly NewEvent[]) => {
  const rows = events
    .toSorted((a, b) => a.at - b.at)
    .map(({ agent, device, sn, at, doc: { rule, mac, st, why, for: purpose, until, u, d } }, ordinal) => ({
      agent,
      device,
      sn,
      at,
      rule,
      mac,
      st,
      why,
      purpose,
      until,
      u,
      d,
      ordinal,
    }));
  await tx.query('release_event', insertSql, [JSON.stringify(rows)]);
};
