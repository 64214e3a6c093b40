import { storeImage } from '../src/domain/portal/portal-image.ts';
import type { Api } from './api.ts';
import { pngOf, theme } from './portal-api.ts';

interface Victim {
  readonly agentId: number;
  readonly portalId: number;
  readonly deviceId: number;
  readonly mark: string;
}

/** A template package and an image of the victim, and the rows of the calls about them. */
export const makeVictimPortal = async (api: Api, { agentId, portalId, deviceId, mark }: Victim) => {
  const sha256 = 'c'.repeat(64);
  await api.db.insertInto('portal_parts').values({ sha256, css: '', fragments: '{}', images: '[]' }).execute();
  const manifest = JSON.stringify({ name: mark, version: '1', theme });
  const template = await api.db
    .insertInto('portal_template')
    .values({ agent_id: agentId, kind: 'package', name: `${mark} tpl`, device_type: 'ship', manifest, parts_sha256: sha256, create_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const stored = await storeImage(api.deps, await pngOf(20, 20));
  if (!stored) throw new Error('no image');
  const image = await api.db
    .insertInto('portal_resource')
    .values({ ...stored, agent_id: agentId, name: `${mark}.png`, operator: mark, create_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const task = await api.db
    .insertInto('portal_task')
    .values({
      agent_id: agentId,
      portal_id: portalId,
      device_id: deviceId,
      portal_name: mark,
      sn: mark,
      device_name: mark,
      operator: mark,
      send_mode: 'immediate',
      send_at: 1,
      create_at: 1,
      update_at: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const ofPortal = ['', 'default/', 'draft/', 'history/', 'revert/', 'resource/', 'send/'].map(
    (part) => [`portal/${part}{id}`, portalId] as const,
  );
  return {
    rows: {
      ...Object.fromEntries(ofPortal),
      'portal/thumbnail/{id}/{rev}': portalId,
      'file/task/portal/stop/{id}': task.id,
      'portal/template/{id}': template.id,
      'portal/template/thumbnail/{id}': template.id,
      'portal/resource/image/{id}': image.id,
    },
  };
};
