import type { Text } from '@farlink/contract/kit/text.ts';
import type { PortalDocument, PortalImage } from '@farlink/portal/document.ts';
import { type Site, siteOf } from '@farlink/portal/site.ts';
import { type SqlBool, sql } from 'kysely';
import type { Db, Deps } from '../../kit/deps.ts';
import { firstDocument, partsOf, shownImages, storedDocument } from './portal-document.ts';

/** The portal that a subscriber sees. */
export interface CurrentSite {
  /** Null: the VNO has no portal, and the built-in document is shown. */
  readonly portal_id: number | null;
  /** 0 for the built-in document. */
  readonly rev: number;
  readonly name: string;
  readonly billing_type: 'free' | 'charged';
  readonly doc: PortalDocument;
  readonly site: Site;
  /** All images that its pages refer to. */
  readonly images: readonly PortalImage[];
}

interface Visitor {
  readonly device_id?: number | undefined;
  readonly agent_id: number;
}

/** Sites in memory. A rendered site is about 100 KB. */
const maxSites = 200;
type Rendered = Pick<CurrentSite, 'doc' | 'site' | 'images'>;

interface SavedSite extends Rendered {
  readonly agent_id: number;
}

/** The key includes the database, because tests have several in one process. */
const caches = new WeakMap<Db, Map<string, Rendered>>();

const cached = async (db: Db, key: string, render: () => Promise<Rendered>): Promise<Rendered> => {
  const cache = caches.get(db) ?? new Map<string, Rendered>();
  caches.set(db, cache);
  const known = cache.get(key) ?? (await render());
  cache.delete(key);
  cache.set(key, known);
  const [oldest] = cache.keys();
  if (cache.size > maxSites && oldest !== undefined) cache.delete(oldest);
  return known;
};

const portalColumns = ['portal.id', 'portal.rev', 'portal.name', 'portal.billing_type', 'portal.device_type'] as const;

/** The portal that the device serves, else the default portal of the VNO, else that of the nearest VNO above with one. */
const chosenPortal = async (db: Db, { device_id, agent_id }: Visitor) => {
  if (device_id !== undefined) {
    const served = await db
      .selectFrom('device')
      .innerJoin('portal', 'portal.id', 'device.portal_id')
      .select(portalColumns)
      .where('device.id', '=', device_id)
      .where('device.agent_id', '=', agent_id)
      .executeTakeFirst();
    if (served) return served;
  }
  return db
    .selectFrom('agent as own')
    .innerJoin('agent as above', (join) => join.on(sql<SqlBool>`starts_with(own.path, above.path)`))
    .innerJoin('portal', 'portal.agent_id', 'above.id')
    .select(portalColumns)
    .where('own.id', '=', agent_id)
    .where('portal.is_default', '=', true)
    .orderBy(sql`length(above.path)`, 'desc')
    .limit(1)
    .executeTakeFirst();
};

/** Name of a VNO as a text in both languages. */
export const ownerName = async (db: Db, agent_id: number): Promise<Text> => {
  const agent = await db.selectFrom('agent').select('name').where('id', '=', agent_id).executeTakeFirst();
  const name = agent?.name ?? '';
  return [name, name];
};

/** What a saved revision of a portal shows, and the VNO of the portal. Undefined: there is no such revision. */
export const savedSite = async (db: Db, portal_id: number, rev: number): Promise<SavedSite | undefined> => {
  const row = await db
    .selectFrom('portal')
    .leftJoin('portal_revision', (join) => join.onRef('portal_revision.portal_id', '=', 'portal.id').on('portal_revision.rev', '=', rev))
    .select(['portal.agent_id', 'portal.billing_type', 'portal.device_type', 'portal.rev'])
    .select(['portal_revision.document', 'portal_revision.parts_sha256'])
    .where('portal.id', '=', portal_id)
    .executeTakeFirst();
  // A portal that is older than revisions has only its current state.
  if (!row || (row.document === null && rev !== row.rev)) return undefined;
  const { device_type, billing_type } = row;
  const doc = storedDocument(row.document, { device_type, billing_type, owner: await ownerName(db, row.agent_id) });
  const parts = await partsOf(db, row.parts_sha256);
  return { agent_id: row.agent_id, doc, site: siteOf(doc, parts), images: shownImages(doc, parts) };
};

const builtIn = async (db: Db, agent_id: number): Promise<CurrentSite> => {
  const owner = await ownerName(db, agent_id);
  const rendered = await cached(db, `built-in ${owner[0]}`, async () => {
    const doc = firstDocument({ device_type: 'fixed', billing_type: 'charged', owner });
    return { doc, site: siteOf(doc), images: [] };
  });
  return { portal_id: null, rev: 0, name: owner[0], billing_type: 'charged', ...rendered };
};

/** The site that the hosted portal shows to a visitor of a device, or of a domain of a VNO. */
export const currentSite = async ({ db }: Pick<Deps, 'db'>, visitor: Visitor): Promise<CurrentSite> => {
  const portal = await chosenPortal(db, visitor);
  if (!portal) return builtIn(db, visitor.agent_id);
  const { id, rev, name, billing_type } = portal;
  const rendered = await cached(db, `${id} ${rev}`, async () => {
    const saved = await savedSite(db, id, rev);
    if (!saved) throw new Error(`portal ${id} has no revision ${rev}`);
    return saved;
  });
  return { portal_id: id, rev, name, billing_type, ...rendered };
};
