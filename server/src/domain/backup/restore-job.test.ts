import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, startApi } from '../../../test/api.ts';
import { makeFleet } from '../../../test/fleet.ts';
import { makeBranches } from '../../../test/world.ts';
import { enqueue } from '../../kit/jobs/job.ts';
import { startJobs } from '../../kit/jobs/job-runner.ts';
import { restoreJobs } from './restore-job.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.close());

it('does not restore a backup of one VNO on a gateway that another VNO owns now', async () => {
  const { eastId, westId } = await makeBranches(api);
  const fleet = makeFleet(api, 'RST');
  const now = api.clock.now();
  const sameOwner = await fleet.online(eastId);
  const newOwner = await fleet.online(eastId);
  for (const { id, sn } of [sameOwner, newOwner]) {
    const file = { size: 1, md5: '0', sha256: '0', key: `backup/${id}`, file_name: 'x.cfg.gz' };
    await api.db
      .insertInto('device_backup')
      .values({ device_id: id, agent_id: eastId, sn, device_name: sn, backup_type: 'manual', create_at: now, ...file })
      .execute();
    await enqueue(api.db, now, { kind: 'backup_restore', payload: { device: id, agent: eastId } });
  }
  await api.db.updateTable('device').set({ agent_id: westId }).where('id', '=', newOwner.id).execute();
  await startJobs(api.deps, restoreJobs, { pollMs: 0 }).tick();
  expect((await fleet.commands(sameOwner.id)).map(({ op }) => op)).toEqual(['backup.restore']);
  expect(await fleet.commands(newOwner.id)).toEqual([]);
});
