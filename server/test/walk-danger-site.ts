import type { Api } from './api.ts';

/** A dangerous website, and an import of an operator of the platform. */
export const makeDangerSite = async (api: Api, mark: string) => {
  const { id } = await api.db
    .insertInto('danger_site')
    .values({ domain: `${mark} site`, ascii: 'victim.example', kind: 'other', creator: mark, create_at: 1, update_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const job = await api.db
    .insertInto('job')
    .values({ kind: 'danger_import', state: 'done', payload: '{"total":1}', result: '{"faults":[]}', run_at: 1, create_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const path = 'website/blacklist';
  return { rows: { [`${path}/{id}`]: id, [`${path}/import/{id}`]: job.id, [`${path}/import/{id}/report`]: job.id } };
};
