import type { PortalDocument, PortalImage } from '@farlink/portal/document.ts';
import { withFormFields } from '@farlink/portal/form-fields.ts';
import sharp from 'sharp';
import { firstDocument } from '../domain/portal/portal-document.ts';
import { storeImage } from '../domain/portal/portal-image.ts';
import type { Config } from '../env/config.ts';
import type { Db } from '../kit/deps.ts';

const day = 86_400;

/** Colors of a fleet, by the order of the VNOs. */
const palettes = [
  ['#1668dc', '#0b2f66', '#8fc7ff'],
  ['#0e7c86', '#073b40', '#7fe0d4'],
  ['#b45309', '#4a2104', '#ffd08a'],
  ['#6d28d9', '#2b0f5c', '#c9b2ff'],
] as const;
type Palette = (typeof palettes)[number];

/** Shapes only: a server needs no fonts to draw them. */
const logoSvg = ([primary, , light]: Palette) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="190" height="60"><rect width="190" height="60" rx="12" fill="${primary}"/><circle cx="34" cy="30" r="16" fill="none" stroke="${light}" stroke-width="4"/><path d="M22 42 L46 18" stroke="#ffffff" stroke-width="5" stroke-linecap="round"/><path d="M66 38q12-16 24 0t24 0 24 0 24 0" fill="none" stroke="#ffffff" stroke-width="5" stroke-linecap="round"/><path d="M66 24q12-16 24 0t24 0 24 0 24 0" fill="none" stroke="${light}" stroke-width="4" stroke-linecap="round"/></svg>`;

const bannerSvg = ([primary, dark, light]: Palette, isNight: boolean) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="450"><defs><linearGradient id="s" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${isNight ? '#050b1d' : light}"/><stop offset="1" stop-color="${isNight ? dark : '#ffffff'}"/></linearGradient></defs><rect width="1200" height="450" fill="url(#s)"/><circle cx="${isNight ? 950 : 220}" cy="110" r="52" fill="${isNight ? '#f1f5ff' : '#ffe08a'}"/><path d="M0 300q100-46 200 0t200 0 200 0 200 0 200 0 200 0v150H0z" fill="${primary}"/><path d="M0 350q100-40 200 0t200 0 200 0 200 0 200 0 200 0v100H0z" fill="${dark}"/><path d="M470 250h260l-40 70H510z" fill="#ffffff"/><path d="M540 190h90v60h-90z" fill="${light}"/><path d="M640 140h14v110h-14z" fill="#ffffff"/><path d="M660 130a60 60 0 0 1 60 60M660 100a90 90 0 0 1 90 90" fill="none" stroke="#ffffff" stroke-width="8" stroke-linecap="round"/></svg>`;

/** Draws and stores an image once for all VNOs that use it. */
const imagePool = (config: Config) => {
  const stored = new Map<string, ReturnType<typeof storeImage>>();
  return async (svg: string) => {
    const known = stored.get(svg) ?? storeImage({ config }, await sharp(Buffer.from(svg)).png().toBuffer());
    stored.set(svg, known);
    return known;
  };
};
type ImagePool = ReturnType<typeof imagePool>;

interface Upload {
  readonly agent_id: number;
  readonly name: string;
  readonly operator: string;
  readonly at: number;
}

const upload = async (db: Db, pool: ImagePool, svg: string, { agent_id, name, operator, at }: Upload): Promise<PortalImage> => {
  const stored = await pool(svg);
  if (!stored) throw new Error('the demo image is not valid');
  const { bytes, ...image } = stored;
  await db
    .insertInto('portal_resource')
    .values({ ...image, agent_id, bytes, name, operator, create_at: at })
    .onConflict((conflict) => conflict.constraint('portal_resource_sha256_key').doNothing())
    .execute();
  return image;
};

const agreement =
  '一、请遵守法律法规，合法使用网络。\n二、卫星链路容量有限，请勿进行大流量下载。\n三、上网记录依法留存六个月。\n四、账号仅限本人使用，密码请妥善保管。';

const contact = {
  id: 'contact',
  kind: 'contact',
  tone: 'card',
  text: ['机舱值班室旁，每日 8:00-20:00', 'Next to the duty room, 8:00-20:00'],
} as const;

/** Adds the contact before the feedback link. */
const withContact = (doc: PortalDocument, phone: string): PortalDocument => {
  const at = doc.blocks.findIndex(({ kind }) => kind === 'feedback');
  return { ...doc, blocks: doc.blocks.toSpliced(at, 0, { ...contact, text: [contact.text[0], contact.text[1]], phone }) };
};

/** Documents, images and revisions of the portals of the demo fleets. */
export const seedPortalDocuments = async (db: Db, config: Config, now: number) => {
  const portals = await db
    .selectFrom('portal')
    .innerJoin('agent', 'agent.id', 'portal.agent_id')
    .innerJoin('portal_template', 'portal_template.code', 'portal.device_type')
    .select(['portal.id', 'portal.agent_id', 'portal.device_type', 'portal.billing_type', 'portal_template.id as template_id'])
    .select(['agent.name as agent_name', 'agent.contacts', 'agent.phone'])
    .orderBy('portal.id')
    .execute();
  const seen = new Set<number>();
  const pool = imagePool(config);
  for (const [n, portal] of portals.entries()) {
    const { id, agent_id, device_type, billing_type, template_id, agent_name } = portal;
    const palette = palettes[seen.size % palettes.length] ?? palettes[0];
    const operator = portal.contacts ?? agent_name;
    const at = now - (30 + n) * day;
    const made = { agent_id, operator, at };
    const logo = await upload(db, pool, logoSvg(palette), { ...made, name: 'logo.png' });
    const banner = [
      await upload(db, pool, bannerSvg(palette, false), { ...made, name: 'day.png' }),
      await upload(db, pool, bannerSvg(palette, true), { ...made, name: 'night.png' }),
    ];
    const [zh = agent_name, en = agent_name] = agent_name.split(/ (.*)/s);
    const start = firstDocument({ device_type, billing_type, owner: [zh, en] });
    const branded = withFormFields({ ...start, theme: { ...start.theme, primary: palette[0] } }, { logo, banner, agreement }, 'zh');
    const doc = withContact(branded, portal.phone ?? '');
    const revision = { portal_id: id, template_id, operator };
    await db
      .insertInto('portal_revision')
      .values([
        { ...revision, rev: 1, document: JSON.stringify(start), create_at: at },
        { ...revision, rev: 2, document: JSON.stringify(doc), create_at: at + day },
      ])
      .execute();
    await db
      .updateTable('portal')
      .set({ template_id, rev: 2, version: 2, update_at: at + day, is_default: !seen.has(agent_id) })
      .where('id', '=', id)
      .execute();
    seen.add(agent_id);
  }
};
