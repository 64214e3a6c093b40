import { Readable } from 'node:stream';
import { openFileStore } from '../src/kit/files/open-file-store.ts';
import type { Api } from './api.ts';

interface Victim {
  readonly agentId: number;
  readonly deviceId: number;
  readonly subscriberId: number;
  readonly mark: string;
}

/** A notice that the victim has published, and a feedback with images. */
export const makeVictimAnnouncement = async (api: Api, { agentId, deviceId, subscriberId, mark }: Victim) => {
  const stamp = { create_at: 1, update_at: 1 };
  const notice = await api.db
    .insertInto('notice')
    .values({
      agent_id: agentId,
      title: mark,
      content: mark,
      target: 'vno',
      send_at: 1,
      publisher: mark,
      expire_at: 4_000_000_000,
      ...stamp,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const sender = { agent_id: agentId, device_id: deviceId, subscriber_id: subscriberId, account: mark, sn: mark } as const;
  const feedback = await api.db
    .insertInto('feedback')
    .values({ ...sender, type: 'network', level: 'general', content: mark, attach_count: 2, ...stamp })
    .returning('id')
    .executeTakeFirstOrThrow();
  const file_key = 'feedback/zeta.png';
  await openFileStore(api.deps.config).put(file_key, Readable.from(['x']), 1);
  const image = { file_key, mime: 'image/png', size: 1, width: 1, height: 1 } as const;
  await api.db
    .insertInto('feedback_image')
    .values([0, 1].map((position) => ({ feedback_id: feedback.id, position, ...image })))
    .execute();
  return {
    rows: {
      'notice/{id}': notice.id,
      'notice/send/{id}': notice.id,
      ...Object.fromEntries(['info', 'around', 'edit', 'attach', 'preview'].map((part) => [`user_feedback/${part}/{id}`, feedback.id])),
    },
  };
};
