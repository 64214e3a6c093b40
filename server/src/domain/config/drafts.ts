import type { ApplySource } from '@farlink/contract/config/apply.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { openInSteps, sealInSteps } from '../../config-doc/sealed.ts';
import type { Db } from '../../kit/deps.ts';
import { takeSteps } from '../../kit/jobs/take-steps.ts';

/** Changes that an operator has not applied yet; with open secrets. */
export interface Draft {
  readonly doc: JsonObject;
  readonly base_rev: number;
  readonly source: ApplySource;
  readonly update_at: number;
}

export const draftsOf = async (db: Db, deviceId: number, uid: number, secretKey: Buffer): Promise<Map<string, Draft>> => {
  const rows = await db
    .selectFrom('config_draft')
    .select(['section', 'doc', 'base_rev', 'source', 'update_at'])
    .where('device_id', '=', deviceId)
    .where('uid', '=', uid)
    .orderBy('section')
    .execute();
  const drafts = new Map<string, Draft>();
  for (const { section, doc, base_rev, source, update_at } of rows) {
    const page = gatewayPages.get(section);
    if (page) drafts.set(section, { doc: await takeSteps(openInSteps(page, doc, secretKey)), base_rev, source, update_at });
  }
  return drafts;
};

/** Locks the drafts while they are applied. Changes saved meanwhile wait and become a new draft. */
export const lockDrafts = async (db: Db, deviceId: number, uid: number) => {
  await db
    .selectFrom('config_draft')
    .select('section')
    .where('device_id', '=', deviceId)
    .where('uid', '=', uid)
    .orderBy('section')
    .forUpdate()
    .execute();
};

interface NewDraft {
  readonly device: number;
  readonly section: string;
  readonly by: { readonly uid: number; readonly name: string };
  readonly doc: JsonObject;
  readonly base_rev: number;
  readonly source: 'edit' | 'rollback' | 'import' | 'wizard';
  readonly now: number;
  readonly secretKey: Buffer;
}

export const saveDraft = async (db: Db, { device, section, by, doc, base_rev, source, now, secretKey }: NewDraft) => {
  const page = gatewayPages.get(section);
  if (!page) throw new Error(`no page ${section}`);
  const set = {
    operator: by.name,
    base_rev,
    doc: JSON.stringify(await takeSteps(sealInSteps(page, doc, secretKey))),
    source,
    update_at: now,
  };
  await db
    .insertInto('config_draft')
    .values({ device_id: device, section, uid: by.uid, ...set })
    .onConflict((oc) => oc.columns(['device_id', 'section', 'uid']).doUpdateSet(set))
    .execute();
};

/** Returns the sections whose drafts were deleted. */
export const dropDrafts = async (db: Db, device: number, uid: number, sections: readonly string[] | 'all'): Promise<string[]> => {
  const rows = await db
    .deleteFrom('config_draft')
    .where('device_id', '=', device)
    .where('uid', '=', uid)
    .$if(sections !== 'all', (query) => query.where('section', 'in', sections === 'all' ? [] : sections))
    .returning('section')
    .execute();
  return rows.map(({ section }) => section);
};
