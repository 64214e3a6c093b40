import { hashOf } from '@farlink/gateway/protocol/shadow.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { sql } from 'kysely';
import type { Db } from '../kit/deps.ts';
import { liveChannel, notifyConnections } from './notify.ts';

/**
 * Sets the desired document of a section. Each call creates a new revision, also for the same document: this is how a local change is
 * overwritten. An offline gateway gets only the latest revision.
 */
export const setDesired = async (
  db: Db,
  deviceId: number,
  section: string,
  doc: JsonObject,
  {
    now,
    hash = hashOf(doc),
  }: { readonly now: number /** Of the open document, if secrets of `doc` are sealed. */; readonly hash?: string },
) => {
  const { rev } = await db
    .insertInto('desired_section')
    .values({
      device_id: deviceId,
      section,
      rev: sql<number>`1 + (select config_floor from device where id = ${deviceId})`,
      hash,
      doc: JSON.stringify(doc),
      update_at: now,
    })
    .onConflict((oc) =>
      oc.columns(['device_id', 'section']).doUpdateSet({
        rev: sql`desired_section.rev + 1`,
        hash,
        doc: JSON.stringify(doc),
        settled: false,
        sent_at: null,
        update_at: now,
      }),
    )
    .returning('rev')
    .executeTakeFirstOrThrow();
  const { sn } = await db.selectFrom('device').select('sn').where('id', '=', deviceId).executeTakeFirstOrThrow();
  await notifyConnections(db, { wake: [sn] });
  await sql`select pg_notify(${liveChannel}, ${JSON.stringify({ what: 'section', ids: [deviceId] })})`.execute(db);
  return { rev, hash };
};
