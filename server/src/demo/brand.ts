import sharp from 'sharp';
import { cleanLogo, setLogo } from '../domain/brand/set-logo.ts';
import type { PublicCtx } from '../kit/ctx.ts';
import type { Deps } from '../kit/deps.ts';

interface DemoLogo {
  readonly username: string;
  readonly name: string;
  /** Colours of emblem and letters. */
  readonly colors: readonly [emblem: string, letters: string];
  /** Shape inside the emblem, 60 x 60. */
  readonly shape: string;
  /** Console domain with proof. */
  readonly host?: string;
}

const wave = '<path d="M10 26q10-12 20 0t20 0M10 36q10-12 20 0t20 0M10 46q10-12 20 0t20 0" fill="none" stroke="#fff" stroke-width="4"/>';
const fish = '<path d="M10 31q16-18 32 0q-16 18-32 0zM42 31l10-9v18z" fill="#fff"/>';
const peak = '<path d="M8 46l16-28 9 14 6-8 13 22z" fill="#fff"/>';

/** Only some VNOs have a logo; the VNOs below inherit it. */
const logos: readonly DemoLogo[] = [
  { username: 'bluesea', name: 'BlueSea', colors: ['#0b62c4', '#0b3d78'], shape: wave },
  { username: 'northfish', name: 'NorFish', colors: ['#0f7b6c', '#0b4f46'], shape: fish },
  { username: 'southlab', name: 'SouthLab', colors: ['#5b3fb0', '#33246b'], shape: peak, host: 'southlab.localhost' },
];

const draw = ({ name, colors: [emblem, letters], shape }: DemoLogo) =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="380" height="120" viewBox="0 0 190 60">
<rect width="60" height="60" rx="14" fill="${emblem}"/>${shape}
<text x="70" y="39" font-family="DejaVu Sans, Arial, sans-serif" font-size="20" font-weight="700" fill="${letters}">${name}</text></svg>`),
  )
    .png()
    .toBuffer();

/** Browsers resolve names below `localhost` to this machine, so the login page of a VNO can be seen without DNS. */
const addHost = ({ db, now }: Pick<PublicCtx, 'db' | 'now'>, agent_id: number, domain: string) =>
  db
    .updateTable('domain')
    .set({ domain, proven_at: now(), checked_at: now(), update_at: now(), proof_error: null })
    .where('agent_id', '=', agent_id)
    .where('domain_type', '=', 'console')
    .execute();

/** Stores the logos of demo VNOs as an upload does. */
export const seedBrands = async (deps: Deps) => {
  for (const logo of logos) {
    const image = await cleanLogo(await draw(logo));
    const owner = await deps.db.selectFrom('customer').select('agent_id').where('username', '=', logo.username).executeTakeFirst();
    if (!image || !owner) continue;
    await deps.db.transaction().execute(async (db) => {
      const ctx = { db, deps, now: deps.clock.now };
      await setLogo(ctx, owner.agent_id, 'agent', image);
      await setLogo(ctx, owner.agent_id, 'device', image);
      if (logo.host) await addHost(ctx, owner.agent_id, logo.host);
    });
  }
};
