import type { Api } from './api.ts';

interface Victim {
  readonly agentId: number;
  readonly deviceId: number;
  readonly mark: string;
}

/** A rule for temporary release of the victim, and a record of its device. */
export const makeVictimTempRelease = async (api: Api, { agentId, deviceId, mark }: Victim) => {
  const limits = { pass_time: 300, pass_count: 3, lock_time: 600, refresh_time: 3600, limit_up: 0, limit_down: 0 };
  const { id } = await api.db
    .insertInto('release_rule')
    .values({ agent_id: agentId, name: `${mark} release`, target: 'device', ...limits, create_at: 1, update_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  await api.db.insertInto('release_rule_device').values({ rule_id: id, device_id: deviceId }).execute();
  await api.db
    .insertInto('release_event')
    .values({
      agent_id: agentId,
      device_id: deviceId,
      sn: `${mark}-1`,
      rule_id: id,
      rule_name: mark,
      mac: mark,
      result: 'start',
      create_at: 1,
    })
    .execute();
  return { rows: Object.fromEntries(['edit', 'mod', 'del'].map((verb) => [`user_pass_rule/${verb}/{id}`, id])) };
};
