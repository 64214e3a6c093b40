import { Duplex } from 'node:stream';
import { infoCalls } from '@farlink/contract/market/info-setup.ts';
import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import type { Gateway } from '@farlink/simulator/gateway.ts';
import { serve } from '@farlink/simulator/services/serve.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../test/api.ts';
import { type FleetApi, startFleetApi } from '../../test/fleet-api.ts';
import { uploadFile } from '../../test/upload.ts';
import { makeBranches } from '../../test/world.ts';
import { brandJobs } from '../domain/brand/sync-brands.ts';
import { cleanupJobs } from '../kit/jobs/cleanup.ts';
import { enqueue } from '../kit/jobs/job.ts';
import { startJobs } from '../kit/jobs/job-runner.ts';

let fleet: FleetApi;
let world: Awaited<ReturnType<typeof makeBranches>>;

beforeAll(async () => {
  fleet = await startFleetApi();
  world = await makeBranches(fleet);
});
afterAll(() => fleet?.close());

const work = async () => {
  const jobs = startJobs(fleet.deps, { ...brandJobs, ...cleanupJobs }, { pollMs: 0 });
  await jobs.tick();
  await jobs.stop();
};
/** The job that runs every minute. */
const sweep = async () => {
  await enqueue(fleet.db, fleet.clock.now(), { kind: 'sync_brands' });
  await work();
};
const logo = (background: string) =>
  sharp({ create: { width: 190, height: 60, channels: 3, background } })
    .png()
    .toBuffer();
const upload = async (by: Caller, background: string) => {
  const reply = await uploadFile(fleet, by, infoCalls.deviceLogo, await logo(background), 'logo.png');
  expect(reply.code).toBe(0);
  await work();
  return Buffer.from(await (await fetch(`${fleet.base}${reply.data.device_logo}`)).arrayBuffer());
};
const section = (id: number) =>
  fleet.db
    .selectFrom('desired_section as d')
    .leftJoin('reported_section as r', (join) => join.onRef('r.device_id', '=', 'd.device_id').onRef('r.section', '=', 'd.section'))
    .select(['d.settled', 'd.hash', 'r.hash as echo', 'r.ok', 'r.err'])
    .where('d.device_id', '=', id)
    .where('d.section', '=', 'brand')
    .executeTakeFirst();
const isApplied = async (id: number) => {
  const row = await section(id);
  return row?.settled === true && row.ok === true && row.hash === row.echo;
};

/** Requests a page of the gateway as through a tunnel. */
const pageOf = (gateway: Gateway, path: string): Promise<Buffer> =>
  new Promise((done, failed) => {
    const received: Buffer[] = [];
    const browser = new Duplex({
      read: () => {},
      write: (chunk: Buffer, _, next) => {
        received.push(chunk);
        next();
      },
      final: (next) => {
        next();
        done(Buffer.concat(received));
      },
    });
    browser.on('error', failed);
    serve(gateway, 'router', browser);
    browser.push(`GET ${path} HTTP/1.1\r\nhost: router\r\nconnection: close\r\n\r\n`);
  });

describe('the brand of a gateway', () => {
  test('is sent with its logo, echoed by the gateway and shown on its pages', async () => {
    const { id, gateway } = await fleet.addGateway(world.eastId, 'BRAND1');
    await gateway.connect();
    const bytes = await upload(world.east, 'navy');
    await expect.poll(() => isApplied(id)).toBe(true);
    expect([gateway.brand.name, gateway.brand.logo?.equals(bytes)]).toEqual(['VNO east', true]);
    const page = String(await pageOf(gateway, '/login'));
    expect(page).toContain('<img src="/img/brand" alt="VNO east"');
    const picture = await pageOf(gateway, '/img/brand');
    expect([picture.includes('content-type: image/png'), picture.includes(bytes)]).toEqual([true, true]);
  });

  test('has the name of its own VNO, and the logo of the nearest parent VNO if its VNO has none', async () => {
    const { id, gateway } = await fleet.addGateway(world.childId, 'BRAND2');
    await gateway.connect();
    await sweep();
    await expect.poll(() => isApplied(id)).toBe(true);
    expect(gateway.brand.name).toBe('VNO child');
    const own = await upload(world.child, 'green');
    await expect.poll(() => gateway.brand.logo?.equals(own)).toBe(true);
    expect((await world.child.call(infoCalls.removeDeviceLogo)).code).toBe(0);
    await work();
    await expect.poll(async () => gateway.brand.logo?.equals(own) === false && (await isApplied(id))).toBe(true);
  });

  test('is applied by a gateway that reconnects after a month offline', async () => {
    const { id, gateway } = await fleet.addGateway(world.westId, 'BRAND3');
    await gateway.connect();
    await expect
      .poll(async () => (await fleet.db.selectFrom('device').select('caps').where('id', '=', id).executeTakeFirst())?.caps)
      .toContain('brand');
    gateway.stop();
    await expect.poll(() => gateway.state).not.toBe('online');
    world.west = await fleet.login('west');
    const bytes = await upload(world.west, 'red');
    fleet.clock.advance(30 * 86_400);
    await gateway.connect();
    await expect.poll(() => isApplied(id)).toBe(true);
    expect(gateway.brand.logo?.equals(bytes)).toBe(true);
  });

  test('changes when the VNO is renamed, the device moves to another VNO, or the VNO gets another parent', async () => {
    const admin = await fleet.login('admin');
    const east = await fleet.login('east');
    const { id, gateway } = await fleet.addGateway(world.eastId, 'BRAND4');
    await gateway.connect();
    await sweep();
    await expect.poll(() => isApplied(id)).toBe(true);
    const info = (await east.call(infoCalls.read)).data;
    expect((await east.call(infoCalls.save, { ...info, name: '东海卫星' })).code).toBe(0);
    await work();
    await expect.poll(() => gateway.brand.name).toBe('东海卫星');
    await fleet.db.updateTable('device').set({ agent_id: world.westId }).where('id', '=', id).execute();
    await sweep();
    await expect.poll(() => gateway.brand.name).toBe('VNO west');
    await fleet.db.updateTable('device').set({ agent_id: world.childId }).where('id', '=', id).execute();
    await sweep();
    await expect.poll(() => gateway.brand.name).toBe('VNO child');
    const before = gateway.brand.logo;
    const role = await fleet.db.selectFrom('role').select('id').where('name', '=', 'VNO').executeTakeFirstOrThrow();
    const child = (await admin.call(vnoCalls.read, { id: world.childId })).data;
    expect(await admin.call(vnoCalls.update, { ...child, parent_id: world.westId, role_id: role.id })).toMatchObject({ code: 0 });
    await sweep();
    await expect.poll(() => gateway.brand.logo !== undefined && before !== undefined && !gateway.brand.logo.equals(before)).toBe(true);
  });

  test('is not sent to a gateway version without support for it', async () => {
    const { id, gateway } = await fleet.addGateway(world.eastId, 'BRAND5', { version: '02.09.00' });
    await gateway.connect();
    await expect
      .poll(async () => (await fleet.db.selectFrom('device').select('caps').where('id', '=', id).executeTakeFirst())?.caps)
      .toContain('docker');
    await sweep();
    expect(await section(id)).toBeUndefined();
  });

  test('waits on a link that is billed by volume', async () => {
    const { id, gateway } = await fleet.addGateway(world.eastId, 'BRAND6');
    gateway.current = 'l_band';
    await gateway.connect();
    await expect
      .poll(async () => (await fleet.db.selectFrom('device').select('network').where('id', '=', id).executeTakeFirst())?.network)
      .toBe('l_band');
    await sweep();
    expect(await section(id)).toMatchObject({ settled: false, echo: null });
    gateway.stop();
    await expect.poll(() => gateway.state).not.toBe('online');
    gateway.current = '6d';
    await gateway.connect();
    await expect.poll(() => isApplied(id)).toBe(true);
  });

  test('is refused if its file is damaged in transit, and the old one is kept', async () => {
    const east = await fleet.login('east');
    const { id, gateway } = await fleet.addGateway(world.eastId, 'BRAND7');
    await gateway.connect();
    await sweep();
    await expect.poll(() => isApplied(id)).toBe(true);
    const old = gateway.brand.logo;
    gateway.faults.file = 'corrupt';
    await upload(east, 'orange');
    await expect.poll(() => section(id)).toMatchObject({ ok: false, err: expect.stringContaining('E_FILE brand.logo') });
    expect(gateway.brand.logo).toBe(old);
  });
});
