import { Readable } from 'node:stream';
import { openFileStore } from '../src/kit/files/open-file-store.ts';
import type { Api } from './api.ts';

interface Victim {
  readonly agentId: number;
  readonly deviceId: number;
  readonly mark: string;
}

/** A remote session of the victim, with a request and a recording. */
export const makeVictimRemote = async (api: Api, { agentId, deviceId, mark }: Victim) => {
  const key = 'remote/zeta.cast';
  await openFileStore(api.deps.config).put(key, Readable.from(['x']), 1);
  const { id } = await api.db
    .insertInto('remote_session')
    .values({
      agent_id: agentId,
      device_id: deviceId,
      device_name: `${mark} ship`,
      sn: `${mark}-1`,
      service: 'telnet',
      customer_id: 1,
      operator: mark,
      operator_name: mark,
      operator_agent_id: agentId,
      ip: '127.0.0.1',
      user_agent: mark,
      lang: 'zh',
      node: mark,
      state: 'ended',
      label: mark,
      ticket_hash: mark,
      ticket_until: 1,
      tunnel_hash: mark,
      command_id: mark,
      create_at: 1,
      active_at: 1,
      beat_at: 1,
      end_at: 1,
      end_reason: 'closed',
      message: mark,
      recording_key: key,
      recording_size: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await api.db
    .insertInto('remote_request')
    .values({ session_id: id, at: 1, method: 'GET', path: `/${mark}`, status: 200, up_bytes: 0, down_bytes: 0, ms: 1 })
    .execute();
  const services = ['router', 'ac', 'antenna', 'telnet'].map((service) => [`device/remote/${service}/{id}`, deviceId]);
  const sessions = ['session', 'close', 'replay'].map((part) => [`device/remote/${part}/{id}`, id]);
  const rows: Record<string, number> = Object.fromEntries([...services, ...sessions]);
  return { rows, fields: { session_id: id } };
};
