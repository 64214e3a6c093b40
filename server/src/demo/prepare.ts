import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { hashPassword } from '../domain/password.ts';
import { rollTraffic } from '../domain/traffic/roll-traffic.ts';
import type { Db, Deps } from '../kit/deps.ts';
import { seedBrands } from './brand.ts';
import { seedDangerHits } from './danger-sites.ts';
import { seedFeedback } from './feedback.ts';
import { seedFirmware } from './firmware.ts';
import { seedPortalDocuments } from './portals.ts';
import { type PastSale, postSales } from './sales.ts';
import { seedDemo } from './seed.ts';
import { seedTempReleaseRecords } from './temp-releases.ts';
import { seedUsage } from './usage-history.ts';

const account = 'admin';

/** Letters and digits without look-alikes; long enough, because it is printed once and kept. */
const newPassword = () => {
  const letters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ';
  const pick = (from: string, n: number) => Array.from({ length: n }, () => from[randomInt(from.length)]).join('');
  return `${pick(letters, 9)}${pick('23456789', 3)}`;
};

/** Contact data of the demo platform; an operator enters the real ones. */
const demoInformation = {
  contacts: '系统管理员',
  phone: '13800000000',
  email: 'service@farlink.example',
  introduction: '卫星宽带网关运营平台 / Satellite broadband gateway service',
};

const createPlatform = async (db: Db, now: number, password: string, isDemo: boolean) => {
  const { id } = await db
    .insertInto('agent')
    .values({
      path: '',
      agent_level: 0,
      name: 'Farlink 远联',
      ...(isDemo && demoInformation),
      code: 'FARLINK',
      agent_mode: 3,
      agent_child_enable: true,
      enrol_auto: isDemo,
      create_at: now,
      update_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .updateTable('agent')
    .set({ path: `/${id}/` })
    .where('id', '=', id)
    .execute();
  await db
    .insertInto('customer')
    .values({
      agent_id: id,
      kind: 'vno',
      is_owner: true,
      username: account,
      name: '系统管理员',
      phone: '13800000000',
      password_hash: await hashPassword(password),
      create_at: now,
      update_at: now,
    })
    .execute();
  return id;
};

/**
 * Creates the platform and the administrator in an empty database, and the demo data if enabled; other databases stay unchanged. `password`
 * is for the start message: a generated one, or its source.
 */
export const prepareWorld = async (deps: Deps): Promise<{ account: string; password: string }> => {
  const { isNew, sales, ...login } = await createWorld(deps);
  if (isNew && deps.config.demo) await seedActivity(deps, sales);
  return login;
};

/** Through the handlers of the counter, the device protocol and the portal, which have their own transactions. What is independent runs together. */
const seedActivity = async (deps: Deps, sales: readonly PastSale[]) => {
  const useService = async () => {
    await seedUsage(deps);
    await seedTempReleaseRecords(deps);
    await seedDangerHits(deps);
    await rollTraffic(deps, { all: true });
  };
  const visitCounter = async () => {
    await deps.db.transaction().execute((tx) => postSales(tx, sales));
    await seedFeedback(deps);
    // Files are stored outside the transaction, so the VNOs must exist.
    await seedBrands(deps);
  };
  await Promise.all([useService(), visitCounter()]);
};

interface World {
  readonly account: string;
  readonly password: string;
  readonly isNew: boolean;
  /** Past sales that are not posted yet. */
  readonly sales: readonly PastSale[];
}

const createWorld = ({ db, config, clock }: Deps): Promise<World> =>
  db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(7205, 1)`.execute(tx);
    const platform = await tx.selectFrom('agent').select('id').where('agent_level', '=', 0).executeTakeFirst();
    if (platform) return { account, password: 'unchanged since the first start', isNew: false, sales: [] };
    const password = config.adminPassword ?? newPassword();
    const now = clock.now();
    const years = 2 * 365 * 86_400;
    const id = await createPlatform(tx, config.demo ? now - years : now, password, config.demo);
    let sales: PastSale[] = [];
    if (config.demo) {
      sales = await seedDemo(tx, { platformId: id, now, since: now - years, password, secretKey: config.secretKey });
      await seedFirmware(tx, config, now);
      await seedPortalDocuments(tx, config, now);
    }
    // A configured password is not printed, because logs keep it.
    return { account, password: config.adminPassword ? 'as set by ADMIN_PASSWORD' : password, isNew: true, sales };
  });
