import { configCalls as calls } from '@farlink/contract/config/config.ts';
import { factoryDocs } from '@farlink/gateway/kit/config.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ConfigApi, startConfigApi } from '../../../test/config-api.ts';
import { patience } from '../../../test/patience.ts';
import { makeBranches } from '../../../test/world.ts';

let api: ConfigApi;
beforeAll(async () => {
  api = await startConfigApi();
});
afterAll(() => api?.close());

describe('the reply of a gateway', () => {
  it('waits for an operator who has locked the device, without locking the sections first', async () => {
    const { admin, eastId } = await makeBranches(api);
    const gateway = await api.addTestGateway(eastId, 'ORDER1');
    await gateway.connect();
    const device = { device_id: gateway.id };
    const doc = { ...factoryDocs.get('advanced_syslog'), local_size: 128 };
    await admin.call(calls.draft, { ...device, page: 'advanced_syslog', base_rev: 0, doc });
    await admin.call(calls.apply, { ...device, pages: ['advanced_syslog'], keep: 0 });
    await vi.waitFor(() => expect(gateway.bundles).toHaveLength(1), patience);
    const [set] = gateway.bundles;
    if (!set) return;
    const { answered: reply } = await api.db.transaction().execute(async (tx) => {
      await tx.selectFrom('device').select('id').where('id', '=', gateway.id).forNoKeyUpdate().execute();
      const reply = gateway.accept(set);
      await vi.waitFor(async () => {
        const { rows } = await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          api.db,
        );
        expect(rows).toHaveLength(1);
      }, patience);
      await sql`select from desired_section where device_id = ${gateway.id} for no key update nowait`.execute(tx);
      return { answered: reply };
    });
    await reply;
    expect((await admin.call(calls.page, { ...device, page: 'advanced_syslog' })).data.state).toBe('applied');
  });
});
