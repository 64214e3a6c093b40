import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { TemplatePart } from '@farlink/contract/config/config-template.ts';
import { sampleConfig } from '@farlink/gateway/kit/sample.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { hashOf } from '@farlink/gateway/protocol/shadow.ts';
import { sql } from 'kysely';
import { openDatabase } from '../../server/src/db/connect.ts';
import { migrate } from '../../server/src/db/migrate.ts';
import { configCampaignJobs } from '../../server/src/domain/config/campaign/campaign-job.ts';
import { type CampaignSpec, sealSpec } from '../../server/src/domain/config/campaign/campaign-spec.ts';
import { sealTemplatePart } from '../../server/src/domain/config/template-part.ts';
import { sessionInfoOf } from '../../server/src/domain/rights.ts';
import { readConfig } from '../../server/src/env/config.ts';
import { systemClock } from '../../server/src/kit/clock.ts';
import type { Deps } from '../../server/src/kit/deps.ts';
import { enqueue } from '../../server/src/kit/jobs/job.ts';
import { startJobs } from '../../server/src/kit/jobs/job-runner.ts';
import { createLog } from '../../server/src/kit/log/log.ts';
import { table } from './measure.ts';
import { openTestServer } from './test-server.ts';

const devices = 10_000;

/** Content of the template: values of two forms, one of them secret, and rows of a list, with a variable. */
const templateParts: Readonly<Record<string, TemplatePart>> = {
  network_dns: { set: { min_ttl: 120, cache_size: 20_000 } },
  network_cellular: { set: { apn: 'sea', auth_type: 'pap', username: `\${device.sn}`, password: 'Sesame2026' } },
  network_ip_group: {
    rows: ['bridge', 'crew', 'guest'].map((key) => ({ key, set: { addresses: [{ address: '10.8.0.0/16' }], remark: `\${device.name}` } })),
  },
};
/** Pages that gateways have reported before. */
const reportedSections = ['network_wan', 'network_lan', 'network_vlan', 'advanced_device_info', 'ac_ap_list'];

const fill = async ({ db, config }: Deps) => {
  const sample = sampleConfig({ seed: 1, rows: () => 4 });
  await sql`insert into device (agent_id, name, sn, create_at) select 1, 'Ship ' || g, 'BENCH' || g, 1 from generate_series(1, ${devices}::int) g`.execute(
    db,
  );
  for (const section of reportedSections) {
    const doc = sample.get(section) ?? {};
    await sql`insert into reported_section (device_id, section, rev, hash, ok, local, doc, at)
      select id, ${section}, 0, ${hashOf(doc)}, true, true, ${JSON.stringify(doc)}::jsonb, 1 from device`.execute(db);
  }
  const sections = Object.keys(templateParts);
  const template = await db
    .insertInto('config_template')
    .values({
      level: 'platform',
      agent_id: 1,
      name: 'Bench',
      pages: sections,
      past_pages: sections,
      operator: 'bench',
      create_at: 1,
      update_at: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const [section, templatePart] of Object.entries(templateParts)) {
    const page = gatewayPages.get(section);
    if (page)
      await db
        .insertInto('config_template_part')
        .values({ template_id: template.id, section, part: JSON.stringify(sealTemplatePart(page, templatePart, config.secretKey)) })
        .execute();
  }
  await sql`vacuum analyze`.execute(db);
  return { template: template.id, sections };
};

/** Inserts the campaign in the state in which the API call leaves it to its job. */
const begin = async ({ db, config, clock }: Deps, { template, sections }: Awaited<ReturnType<typeof fill>>) => {
  const spec: CampaignSpec = { kind: 'template', template_id: template, sections };
  const { id } = await db
    .insertInto('config_campaign')
    .values({
      kind: 'template',
      agent_id: 1,
      title_zh: 'Bench',
      title_en: 'Bench',
      operator: 'bench',
      keep: 90,
      create_at: 1,
      spec: sealSpec(spec, config.secretKey),
      pages: sections,
      device_count: devices,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`insert into config_campaign_device (campaign_id, device_id, agent_id, device_name, sn, update_at)
    select ${id}, id, agent_id, name, sn, 1 from device`.execute(db);
  const admin = await db
    .insertInto('customer')
    .values({
      agent_id: 1,
      kind: 'vno',
      is_owner: true,
      username: 'bench',
      name: 'Bench',
      phone: '1',
      password_hash: '-',
      create_at: 1,
      update_at: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await enqueue(db, clock.now(), { kind: 'config_campaign', payload: { campaign_id: id }, me: await sessionInfoOf(db, admin.id, null) });
  return id;
};

const timed = async (work: () => Promise<void>) => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
};

/** A template for 10,000 devices: computed, validated and written; then the replies, 100 at a time. */
export const benchCampaign = async () => {
  const testServer = await openTestServer();
  const { pool, db } = await openDatabase(testServer.url);
  await migrate(pool);
  const config = readConfig({ DATA_DIR: testServer.folder, DATABASE_URL: testServer.url, ADMIN_PASSWORD: 'Farlink2026', DEMO: 'off' });
  const deps: Deps = { db, pool, config, clock: systemClock, log: createLog('silent') };
  await db
    .insertInto('agent')
    .values({ id: 1, path: '/1/', agent_level: 0, name: 'Bench', code: 'BENCH', agent_mode: 3, create_at: 1, update_at: 1 })
    .execute();
  const campaign = await begin(deps, await fill(deps));
  const idle = monitorEventLoopDelay({ resolution: 1 });
  idle.enable();
  await pause(3000);
  idle.disable();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const before = process.cpuUsage();
  const seconds = await timed(() => startJobs(deps, configCampaignJobs, { pollMs: 0 }).tick());
  const { user, system } = process.cpuUsage(before);
  delay.disable();
  const { rows } = await sql<{ state: string; n: number }>`
    select state, count(*)::int as n from config_campaign_device where campaign_id = ${campaign} group by state`.execute(db);
  if (rows.length !== 1 || rows[0]?.state !== 'waiting') throw new Error(`unexpected devices in the campaign: ${JSON.stringify(rows)}`);
  const repliesS = await timed(async () => {
    for (let from = 0; from < devices; from += 100)
      await sql`update config_apply set state = 3, finish_at = 2 where id in (
        select id from config_apply where campaign_id = ${campaign} and state = 0 order by id limit 100)`.execute(db);
  });
  const { state } = await db.selectFrom('config_campaign').select('state').where('id', '=', campaign).executeTakeFirstOrThrow();
  if (state !== 'done') throw new Error(`the campaign is ${state}`);
  table(`A template for ${devices} devices: ${Object.keys(templateParts).length} pages, a secret, variables`, [
    ['devices a second', `${Math.round(devices / seconds)}`, 'at least 200'],
    ['processor of the worker', `${((user + system) / 1000 / devices).toFixed(2)} ms`, 'a device; its share of one core bounds the rate'],
    ['event loop delay p99', `${(delay.percentile(99) / 1e6).toFixed(1)} ms`, 'at most 50 ms'],
    ['of an idle process', `${(idle.percentile(99) / 1e6).toFixed(1)} ms`, 'the delay of the machine itself'],
    ['event loop delay max', `${(delay.max / 1e6).toFixed(0)} ms`],
    ['replies stored a second', `${Math.round(devices / repliesS)}`],
  ]);
  await db.destroy();
  await testServer.close();
};
