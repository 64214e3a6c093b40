import { seal } from '../src/kit/session/secret.ts';
import type { Api } from './api.ts';

interface Victim {
  readonly agentId: number;
  readonly deviceId: number;
  readonly subscriberId: number;
  readonly mark: string;
}

/** A NAS of the victim, and an open and an ended RADIUS session. */
export const makeVictimRadius = async (api: Api, { agentId, deviceId, subscriberId, mark }: Victim) => {
  const secret = seal(api.deps.config.secretKey, mark.repeat(5));
  const nas = await api.db
    .insertInto('nas')
    .values({ agent_id: agentId, name: mark, identifier: mark, secret, create_at: 1, update_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const session = {
    subscriber_id: subscriberId,
    agent_id: agentId,
    device_id: deviceId,
    nas_id: nas.id,
    source: 'aaa',
    login_at: 1,
  } as const;
  await api.db
    .insertInto('online_session')
    .values([
      { ...session, session_id: `${mark}-open`, nas_ip: mark },
      { ...session, session_id: `${mark}-ended`, nas_ip: mark, logout_at: 2, terminate_cause: 'user' },
    ])
    .execute();
  return { nasId: nas.id };
};
