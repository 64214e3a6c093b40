import { Readable } from 'node:stream';
import type { Grant } from '@farlink/contract/kit/field.ts';
import { gatewayPermission } from '@farlink/gateway/kit/page.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { applySections } from '../src/domain/config/apply.ts';
import { openFileStore } from '../src/kit/files/open-file-store.ts';
import type { Api } from './api.ts';

const gates = Object.fromEntries([...gatewayPages.values()].map((page): [string, Grant] => [gatewayPermission(page), '11']));

interface Victim {
  readonly deviceId: number;
  readonly mark: string;
}

/** A configured gateway of the victim. Every role may open its pages, so that only the ownership check can refuse. */
export const makeVictimConfig = async (api: Api, { deviceId, mark }: Victim) => {
  await api.db
    .updateTable('role')
    .set({ gateway_permissions: JSON.stringify(gates) })
    .execute();
  await api.db.transaction().execute((db) =>
    applySections(db, {
      device: deviceId,
      docs: new Map([['network_wan', { rows: [{ name: 'wan1', alias: mark }] }]]),
      source: 'edit',
      keep: 0,
      by: null,
      note: mark,
      now: api.clock.now(),
      secretKey: api.deps.config.secretKey,
    }),
  );
};

/** A diagnostic run on the victim's gateway, with an uploaded file. Returns the row ids used by calls. */
export const makeVictimRun = async (api: Api, { deviceId, mark }: Victim) => {
  const id = '0a1b2c3d4e5f';
  const upload = 'zeta-run';
  const out = { result: { file: { name: `${mark}.pcap`, size: 1 } } };
  await openFileStore(api.deps.config).put('depot/zeta-run', Readable.from(['x']), 1);
  await api.db
    .insertInto('depot_upload')
    .values({ id: upload, device_id: deviceId, purpose: 'run', key: 'depot/zeta-run', size: 1, sha256: '-', md5: '-', create_at: 1 })
    .execute();
  const args = { page: 'diagnosis_ping', upload, args: { host: mark } };
  const now = api.clock.now();
  await api.db
    .insertInto('device_command')
    .values({
      id,
      device_id: deviceId,
      op: 'page.run',
      args: JSON.stringify(args),
      out: JSON.stringify(out),
      state: 3,
      deadline: now,
      create_at: now,
    })
    .execute();
  await api.db.insertInto('command_output').values({ command_id: id, n: 0, text: mark, at: now }).execute();
  const run = Number.parseInt(id, 16);
  return { rows: Object.fromEntries(['', '/stop', '/file'].map((part) => [`device/config/run/{id}${part}`, run])) };
};
