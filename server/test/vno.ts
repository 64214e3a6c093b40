import type { Db } from '../src/kit/deps.ts';

/** Inserts a VNO below the platform, with the merchant code OTHER. */
export const addVno = async (db: Db, platformId: number): Promise<number> => {
  const stamp = { create_at: 1, update_at: 1 };
  const role = await db
    .insertInto('role')
    .values({ agent_id: platformId, kind: 'agent', name: 'VNO', scope: 'unlimited', permissions: '{}', creator: '-', ...stamp })
    .returning('id')
    .executeTakeFirstOrThrow();
  const vno = { name: 'Other', code: 'OTHER', path: '/1/2/', agent_level: 1, agent_mode: 3 as const, role_id: role.id, enrol_auto: true };
  return (
    await db
      .insertInto('agent')
      .values({ ...vno, parent_id: platformId, ...stamp })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
};
