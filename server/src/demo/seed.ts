import type { Grant } from '@farlink/contract/kit/field.ts';
import { Random } from '@farlink/contract/kit/random.ts';
import { hashPassword } from '../domain/password.ts';
import { insertSubscribers } from '../domain/subscriber/insert-subscribers.ts';
import type { Db } from '../kit/deps.ts';
import { seedAnnouncements } from './announcements.ts';
import { seedBusiness } from './business.ts';
import { seedCards } from './cards.ts';
import { seedDangerSites } from './danger-sites.ts';
import { type DemoVno, demoAccounts, familyNames, givenNames, staffNames } from './demo-accounts.ts';
import { seedDomains } from './domain.ts';
import { duties, gatewayGrants, grantsFor } from './duties.ts';
import { seedFieldHistory } from './field-history.ts';
import { seedFleets, seedUnclaimed } from './fleet.ts';
import { seedHistory } from './history.ts';
import { seedNotifyRules } from './notify.ts';
import { seedPackages } from './packages.ts';
import { seedPayments } from './payments.ts';
import type { PastSale } from './sales.ts';
import { seedSettings } from './settings.ts';
import { seedTelemetry } from './telemetry.ts';
import { seedTempReleaseRules } from './temp-releases.ts';
import { seedTracks } from './track.ts';

export interface Demo {
  readonly platformId: number;
  readonly now: number;
  readonly since: number;
  readonly password: string;
  readonly secretKey: Buffer;
}

class World {
  readonly db: Db;
  readonly demo: Demo;
  readonly random: Random = new Random(20_241_115);
  readonly hash: string;
  #staff = 0;
  #phone = 0;

  constructor(db: Db, demo: Demo, hash: string) {
    this.db = db;
    this.demo = demo;
    this.hash = hash;
  }

  phone = () => `138${String(10_000_000 + ++this.#phone * 7919).slice(0, 8)}`;
  person = () => staffNames[this.#staff++ % staffNames.length] ?? '';
  moment = (from = this.demo.since) => this.random.int(from, this.demo.now - 86_400);

  async role(agentId: number, kind: 'agent' | 'sub' | 'job', name: string, permissions: Record<string, Grant>, write: boolean) {
    const at = this.demo.since;
    const row = {
      agent_id: agentId,
      kind,
      name,
      scope: 'unlimited' as const,
      read_all: false,
      write_all: false,
      creator: 'admin',
      create_at: at,
      update_at: at,
      view_hide_pkg: write,
    };
    const made = await this.db
      .insertInto('role')
      .values({ ...row, permissions: JSON.stringify(permissions), gateway_permissions: JSON.stringify(gatewayGrants(write ? '11' : '10')) })
      .returning('id')
      .executeTakeFirstOrThrow();
    return made.id;
  }

  async account(
    row: {
      agent_id: number;
      kind: 'vno' | 'sub' | 'job';
      username: string;
      name: string;
      role_id: number | null;
      is_owner?: boolean;
      job_kind?: 'master' | 'sub';
      license_id?: number | null;
      parent_id?: number | null;
      income_limit?: string;
    },
    at: number,
  ) {
    const made = await this.db
      .insertInto('customer')
      .values({
        phone: this.phone(),
        email: `${row.username}@farlink.example`,
        password_hash: this.hash,
        phone_at: at,
        phone_verified_at: at,
        create_at: at,
        update_at: at,
        ...row,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return made.id;
  }
}

const seedStaff = async (w: World, agentId: number, login: string, at: number) => {
  const roles: number[] = [];
  for (const d of duties) roles.push(await w.role(agentId, d.kind, d.name, d.permissions, d.write));
  const [operations, support, audit, master, clerk] = roles;
  await w.account({ agent_id: agentId, kind: 'sub', username: `${login}_ops`, name: w.person(), role_id: operations ?? null }, at);
  await w.account(
    { agent_id: agentId, kind: 'sub', username: `${login}_care`, name: w.person(), role_id: support ?? null, income_limit: '5000.00' },
    at,
  );
  await w.account({ agent_id: agentId, kind: 'sub', username: `${login}_audit`, name: w.person(), role_id: audit ?? null }, at);
  const chief = w.person();
  const masterId = await w.account(
    { agent_id: agentId, kind: 'job', job_kind: 'master', username: `${login}_hall`, name: chief, role_id: master ?? null },
    at,
  );
  const license = await w.db
    .insertInto('license')
    .values({
      agent_id: agentId,
      code: `DEMO-${String(agentId).padStart(4, '0')}-SEATS`,
      total: 10,
      used: 2,
      activate_at: at,
      job_name: chief,
      expire_at: w.demo.now + 400 * 86_400,
      create_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const n of [1, 2])
    await w.account(
      {
        agent_id: agentId,
        kind: 'job',
        job_kind: 'sub',
        username: `${login}_desk${n}`,
        name: w.person(),
        role_id: clerk ?? null,
        license_id: license.id,
        parent_id: masterId,
        income_limit: '2000.00',
      },
      at,
    );
};

const seedFleet = async (w: World, agentId: number, { username: login, name, ships }: DemoVno, at: number) => {
  const code = `${login.slice(0, 4)}${agentId}`;
  const prefix = await w.db
    .insertInto('prefix')
    .values({ agent_id: agentId, prefix: code, creator: login, create_at: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  await w.db.updateTable('agent').set({ prefix_id: prefix.id }).where('id', '=', agentId).execute();
  const devices = await w.db
    .insertInto('device')
    .values(
      ships.map((name, i) => ({ agent_id: agentId, name, sn: `FL${String(24_000_000 + agentId * 1000 + i)}`, create_at: w.moment(at) })),
    )
    .returning('id')
    .execute();
  const users = devices.flatMap((device, d) =>
    Array.from({ length: w.random.int(3, 9) }, (_, i) => ({
      agent_id: agentId,
      prefix_id: prefix.id,
      device_id: device.id,
      account: `${code}${d}${String(i).padStart(3, '0')}`,
      password: w.demo.password,
      account_type: w.random.pick(['personal', 'maritime_crew', 'small_station'] as const),
      name: `${w.random.pick(familyNames)}${w.random.pick(givenNames)}`,
      phone: w.phone(),
      account_source: w.random.pick(['counter', 'personal', 'batch'] as const),
      expire_at: w.demo.now + w.random.int(30, 700) * 86_400,
      create_at: w.moment(at),
    })),
  );
  await seedPackages(
    w.db,
    { id: agentId, name },
    devices.map((d) => d.id),
    at,
  );
  await insertSubscribers(w.db, w.demo.secretKey, users);
};

const seedVno = async (w: World, vno: DemoVno, parent: { id: number; path: string; level: number }, roleId: number) => {
  const at = w.moment(w.demo.since + parent.level * 60 * 86_400) - 300 * 86_400;
  const made = Math.max(at, w.demo.since + 86_400 * (parent.level + 1));
  const { id } = await w.db
    .insertInto('agent')
    .values({
      parent_id: parent.id,
      path: '',
      agent_level: parent.level + 1,
      name: vno.name,
      code: vno.username.toUpperCase().padEnd(8, '8'),
      third_id: `T-${vno.username}`,
      contacts: vno.contacts,
      phone: w.phone(),
      email: `${vno.username}@farlink.example`,
      introduction: vno.introduction,
      role_id: roleId,
      agent_mode: vno.mode,
      agent_child_enable: vno.children !== undefined,
      // Simulated gateways enrol without an operator.
      enrol_auto: true,
      create_at: made,
      update_at: made,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const path = `${parent.path}${id}/`;
  await w.db.updateTable('agent').set({ path }).where('id', '=', id).execute();
  await w.account({ agent_id: id, kind: 'vno', is_owner: true, username: vno.username, name: vno.contacts, role_id: null }, made);
  await seedStaff(w, id, vno.username, made);
  await seedFleet(w, id, vno, made);
  if (!vno.children) return;
  const childRole = await w.role(
    id,
    'agent',
    '下级标准',
    grantsFor(() => true, '11'),
    true,
  );
  for (const child of vno.children) await seedVno(w, child, { id, path, level: parent.level + 1 }, childRole);
};

/** Deterministic except for clock and password: 12 VNOs on three levels, their staff, fleets and subscribers, two years of log. Returns the past sales to post. */
export const seedDemo = async (db: Db, demo: Demo): Promise<PastSale[]> => {
  const w = new World(db, demo, await hashPassword(demo.password));
  const standard = await w.role(
    demo.platformId,
    'agent',
    '标准VNO',
    grantsFor(() => true, '11'),
    true,
  );
  await w.role(
    demo.platformId,
    'agent',
    '只读VNO',
    grantsFor(() => true, '10'),
    false,
  );
  await seedStaff(w, demo.platformId, 'farlink', demo.since);
  for (const vno of demoAccounts) await seedVno(w, vno, { id: demo.platformId, path: `/${demo.platformId}/`, level: 0 }, standard);
  await seedFleets(db, demo);
  await seedTelemetry(db, demo);
  await seedTracks(db);
  await seedHistory(db, w.random, demo);
  const sales = await seedBusiness(db, w.random, demo);
  await seedCards(db, w.random, demo);
  await seedPayments(db, w.random, demo);
  await seedFieldHistory(db, demo);
  await seedUnclaimed(db, demo);
  await seedNotifyRules(db, demo.now);
  await seedTempReleaseRules(db, demo.platformId, demo.now);
  await seedAnnouncements(db, demo.now);
  await seedDangerSites(db, demo.now);
  await seedDomains(db, demo.now);
  await seedSettings(db, demo.now);
  return sales;
};
