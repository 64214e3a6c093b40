import { portalSectionName } from '@farlink/gateway/protocol/portal.ts';
import { sql } from 'kysely';
import type { Db, Deps } from '../../kit/deps.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';
import type { JobKinds } from '../../kit/jobs/job.ts';
import { bundleKey } from '../../orders/portal-section.ts';
import { lockBundles } from './build-bundle.ts';

/** Age in seconds from which an unused bundle is removed. */
const retentionS = 86_400;
const batchSize = 500;

/** No gateway serves it, no open send can restore it, and it is not the current revision of its portal. */
const isUnused = sql<boolean>`
  not exists (select from desired_section s where s.section = ${portalSectionName} and s.doc ->> 'h' = portal_bundle.sha256)
  and not exists (select from portal_task t where not t.ended and t.previous ->> 'h' = portal_bundle.sha256)
  and not exists (select from portal p where p.id = portal_bundle.portal_id and p.rev = portal_bundle.rev)`;

/** The second statement checks again: a send may have ended while the rows were locked. */
const forgetUnused = async (db: Db, before: number): Promise<string[]> => {
  const found = await db
    .selectFrom('portal_bundle')
    .select('sha256')
    .where('create_at', '<', before)
    .where(isUnused)
    .limit(batchSize)
    .forUpdate()
    .skipLocked()
    .execute();
  if (found.length === 0) return [];
  const names = found.map(({ sha256 }) => sha256);
  const removed = await db.deleteFrom('portal_bundle').where('sha256', 'in', names).where(isUnused).returning('sha256').execute();
  return removed.map(({ sha256 }) => sha256);
};

/** Removes bundles that no gateway needs. A row goes before its file, so a crash never leaves a row without a file. */
export const removeBundles = async ({ db, config, clock }: Deps): Promise<number> => {
  const removed = await db.transaction().execute((inside) => forgetUnused(inside, clock.now() - retentionS));
  if (removed.length === 0) return 0;
  await db.transaction().execute(async (inside) => {
    await lockBundles(inside, 'exclusive');
    const again = await inside.selectFrom('portal_bundle').select('sha256').where('sha256', 'in', removed).execute();
    const built = new Set(again.map(({ sha256 }) => sha256));
    const store = openFileStore(config);
    for (const sha256 of removed) if (!built.has(sha256)) await store.remove(bundleKey(sha256));
  });
  return removed.length;
};

export const bundleJobs: JobKinds = {
  portal_bundles: {
    run: async ({ deps }) => {
      await removeBundles(deps);
    },
    everyS: 3600,
    retentionS,
  },
};
