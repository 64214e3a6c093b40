import { runCalls } from '@farlink/contract/config/run.ts';
import { terminalCalls } from '@farlink/contract/config/terminal.ts';
import { watchCalls } from '@farlink/contract/config/watch.ts';
import { wizardCalls } from '@farlink/contract/config/wizard.ts';
import { errors } from '@farlink/contract/errors.ts';
import { factoryDocs } from '@farlink/gateway/kit/config.ts';
import { documentFields } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { sampleConfig, sampleValues } from '@farlink/gateway/kit/sample.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { hashOf } from '@farlink/gateway/protocol/shadow.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Caller, Reply } from '../../../test/api.ts';
import {
  addConfiguredShip,
  type ConfiguredShip,
  everyField,
  mapRefs,
  masked,
  nameOf,
  openProof,
  pagesOf,
  refusedAt,
  sampleFor,
  sections,
  uploadSamples,
} from '../../../test/config-proof.ts';
import { groupsOf, type InvalidDocument, invalidDocumentsOf } from '../../../test/config-proof-cases.ts';
import type { FleetApi } from '../../../test/fleet-api.ts';
import { patience } from '../../../test/patience.ts';

let api: FleetApi;
let admin: Caller;
let platformId: number;
let ship: ConfiguredShip;

beforeAll(async () => {
  ({ api, admin, platformId } = await openProof());
  ship = await addConfiguredShip(api, admin, platformId, 'PROOF1');
  await uploadSamples(api, admin, ship.id);
});
afterAll(() => api?.close());

/** Waits until several pages are applied; the gateway may change links and reconnect meanwhile. */
const untilApplied = async (id: number) => {
  await vi.waitFor(async () => {
    await ship.gateway.connect();
    expect(await ship.stateOf(id)).toMatchObject({ state: 3 });
  }, patience);
};

describe('gateway pages with a configuration section', () => {
  test('are 95 of the 150 pages', () => {
    expect(gatewayPages.size).toBe(150);
    expect(sections).toHaveLength(95);
  });

  test('show the document of the gateway', async () => {
    for (const page of sections) {
      const { doc, state, rev, writable } = await ship.page(page.key);
      expect({ page: page.key, doc, state, rev, writable }).toEqual({
        page: page.key,
        doc: masked(page, ship.gateway.sections.doc(page.key)),
        rev: 0,
        writable: true,
        state: 'none',
      });
    }
  });

  const editAndApply = async (seed: number, readsDrafts: boolean) => {
    const docs = sampleFor(ship.gateway, seed);
    const others = sections.filter(({ key }) => hashOf(docs.get(key) ?? {}) !== hashOf(ship.gateway.sections.doc(key)));
    for (const [i, group] of groupsOf(others, 12).entries()) {
      for (const page of group) {
        const saved = await ship.draft(page.key, docs.get(page.key));
        expect({ page: page.key, code: saved.code }).toEqual({ page: page.key, code: 0 });
        if (readsDrafts) expect((await ship.page(page.key)).draft?.doc).toEqual(masked(page, docs.get(page.key) ?? {}));
      }
      const review = await ship.review();
      expect(review.problems).toEqual([]);
      expect(review.pages.map(({ page }) => page).toSorted()).toEqual(group.map(({ key }) => key).toSorted());
      expect(review.pages.every(({ differences }) => differences.length > 0)).toBe(true);
      const applied = await ship.apply(
        group.map(({ key }) => key),
        i % 2 === 0 ? 0 : 60,
      );
      expect(applied).toMatchObject({ code: 0 });
      await untilApplied(applied.data.id);
    }
    for (const page of sections) {
      const expected = docs.get(page.key) ?? {};
      const { doc, state, draft } = await ship.page(page.key);
      expect({ page: page.key, doc, state, draft }).toEqual({ page: page.key, doc: masked(page, expected), state: 'applied', draft: null });
      expect(ship.gateway.sections.doc(page.key)).toEqual(expected);
    }
  };

  test('are edited, reviewed, applied and read back', () => editAndApply(5, false));
  test('are edited, reviewed, applied and read back with other values', { tags: 'all' }, () => editAndApply(0, true));

  const configs = Array.from({ length: 12 }, (_, seed) => sampleConfig({ seed }));

  const expectRefused = async ({ key }: GatewayPage, invalid: readonly InvalidDocument[]) => {
    for (const { paths, doc } of invalid) {
      const reply = await ship.tryDraft(key, doc);
      expect({ code: reply.code, at: refusedAt(reply).toSorted() }).toEqual({ code: errors.bad_input.code, at: paths.toSorted() });
    }
  };
  const byKey = sections.map((page) => [page.key, page] as const);

  test.each(byKey)('%s: invalid values are refused at their fields', async (_, page) => {
    const invalid = invalidDocumentsOf(page, everyField(page, configs));
    await expectRefused(page, invalid.slice(-1));
  });

  test.each(byKey)('%s: each invalid value is refused at its field', { tags: 'all' }, async (_, page) => {
    await expectRefused(page, invalidDocumentsOf(page, everyField(page, configs)));
  });

  test('report each reference to an unknown row at its field in the review', async () => {
    const seen = new Set<string>();
    const unknown = (page: GatewayPage, paths: string[], doc: JsonObject) =>
      mapRefs(documentFields(page), doc, (path) => {
        paths.push(path);
        return `lost${paths.length}`;
      });
    for (const docs of configs) {
      const expected: string[] = [];
      for (const page of sections) {
        const paths: string[] = [];
        const doc = unknown(page, paths, docs.get(page.key) ?? {});
        // Paths that were already checked are skipped.
        if (paths.every((path) => seen.has(nameOf(`${page.key} ${path}`)))) continue;
        for (const path of paths) seen.add(nameOf(`${page.key} ${path}`));
        expected.push(...paths.map((path) => `${page.key} ${path}`));
        expect(await ship.tryDraft(page.key, doc)).toMatchObject({ code: 0 });
      }
      if (expected.length === 0) continue;
      const { problems } = await ship.review();
      const missing = problems.filter(({ text }) => text.includes('no longer exists')).map(({ page, path }) => `${page} ${path}`);
      expect(missing.toSorted()).toEqual(expected.toSorted());
      await ship.discard();
    }
    const refs = sections.flatMap((page) =>
      everyField(page, configs)
        .filter(({ field }) => field.kind === 'ref')
        .map(({ path }) => nameOf(`${page.key} ${path}`)),
    );
    expect(refs.length).toBeGreaterThan(90);
    expect(refs.filter((ref) => !seen.has(ref))).toEqual([]);
  });
});

const refused = (reply: { readonly code: number; readonly data: unknown }) => ({ code: reply.code, at: refusedAt(reply).toSorted() });

/** Values for each field of a page that is not a section, with references to rows of the gateway. */
const samplesOf = (page: GatewayPage) => {
  const docs = new Map(sections.map(({ key }) => [key, ship.gateway.sections.doc(key)]));
  return Array.from({ length: 24 }, (_, seed) => new Map([[page.key, sampleValues(page, docs, seed)]]));
};

const tries: Readonly<Record<string, (page: string, values: JsonObject) => Promise<Reply>>> = {
  action: (page, args) => admin.call(runCalls.run, { device_id: ship.id, page, args }),
  wizard: (page, values) => admin.call(wizardCalls.write, { device_id: ship.id, page, values }),
  terminal: (page, values) => admin.call(terminalCalls.open, { device_id: ship.id, page, values }),
};

describe('gateway pages without a configuration section', () => {
  const others = pagesOf('status', 'log', 'action', 'wizard', 'terminal');

  test('are 55 of the 150 pages, and each can be opened', async () => {
    expect(others).toHaveLength(55);
    for (const { key } of others) expect(await ship.page(key)).toMatchObject({ page: key, writable: true, state: 'none', rev: 0 });
  });

  test('show live data of the gateway if they are status or log pages', async () => {
    const live = pagesOf('status', 'log');
    const watch = (page: string, ask: boolean) => admin.call(watchCalls.watch, { device_id: ship.id, page, ask });
    await Promise.all(live.map(({ key }) => watch(key, true)));
    for (const page of live) {
      const { data } = await vi.waitFor(async () => {
        const reply = await watch(page.key, false);
        expect(reply.data).toMatchObject({ state: 'live', at: expect.any(Number) });
        return reply;
      }, patience);
      for (const row of data.rows) expect(Object.keys(row).filter((name) => !Object.hasOwn(page.fields, name))).toEqual([]);
    }
  });

  test.each(
    pagesOf('action', 'wizard', 'terminal')
      .filter(({ quick }) => quick === undefined)
      .map((page) => [page.key, page] as const),
  )('%s: each invalid value is refused at its field', async (key, page) => {
    const send = tries[page.kind];
    const positions = everyField(page, samplesOf(page));
    expect(positions.map(({ name }) => name).toSorted()).toEqual(Object.keys(page.fields).toSorted());
    for (const { paths, doc } of invalidDocumentsOf(page, positions))
      expect(send && refused(await send(key, doc))).toEqual({ code: errors.bad_input.code, at: paths.toSorted() });
    // References to unknown rows are refused.
    const named: string[] = [];
    const lost = mapRefs(page.fields, samplesOf(page)[0]?.get(key) ?? {}, (path) => `lost${named.push(path)}`);
    if (named.length > 0 && send) expect(refusedAt(await send(key, lost))).toEqual(expect.arrayContaining(named));
  });

  test.each(pagesOf('wizard').map((page) => [page.key, page] as const))('%s: its drafts pass the review', async (key, page) => {
    const values = samplesOf(page)[1]?.get(key) ?? {};
    const made = await admin.call(wizardCalls.write, { device_id: ship.id, page: key, values });
    expect(made).toMatchObject({ code: 0 });
    const { problems, pages } = await ship.review();
    expect(problems).toEqual([]);
    expect(pages.map(({ page: drafted }) => drafted).toSorted()).toEqual(made.data.pages.toSorted());
    await ship.discard();
  });

  test('run harmless actions on the gateway', async () => {
    for (const key of ['diagnosis_ping', 'diagnosis_traceroute', 'diagnosis_dns_lookup', 'diagnosis_health_check']) {
      const page = gatewayPages.get(key);
      const args = page ? (samplesOf(page)[1]?.get(key) ?? {}) : {};
      const { data } = await admin.call(runCalls.run, { device_id: ship.id, page: key, args });
      await vi.waitFor(async () => {
        const run = await admin.call(runCalls.read, { id: data.id, after: 0 });
        expect(run.data).toMatchObject({ page: key, state: 3, result: expect.any(Object) });
        expect(run.data.lines.length).toBeGreaterThan(0);
      }, patience);
    }
  });
});

const factoryDoc = (key: string): JsonObject => factoryDocs.get(key) ?? {};

describe('a gateway', () => {
  const debug = { enabled: false, auto_off: 77, level: 'info' };
  const roaming = { dot11k: false, dot11v: true };
  const begin = async (sn: string) => {
    const other = await addConfiguredShip(api, admin, platformId, sn);
    const want = async (docs: Record<string, JsonObject>, keep = 0) => {
      for (const [key, doc] of Object.entries(docs)) expect(await other.draft(key, doc)).toMatchObject({ code: 0 });
      const applied = await other.apply(Object.keys(docs), keep);
      expect(applied).toMatchObject({ code: 0 });
      return applied.data.id;
    };
    const back = (id: number, state: number) =>
      vi.waitFor(async () => {
        await other.gateway.connect();
        expect(await other.stateOf(id)).toMatchObject({ state });
      }, patience);
    const holds = (key: string) => other.gateway.sections.doc(key);
    return { ...other, want, back, holds };
  };

  test('that was offline applies all pages when it reconnects, and overwrites local changes', async () => {
    const other = await begin('AWAY1');
    other.gateway.stop();
    other.gateway.changeLocally('hidden_debug', { enabled: true, auto_off: 5 });
    const id = await other.want({ hidden_debug: debug, ac_roaming: roaming });
    expect(await other.stateOf(id)).toMatchObject({ state: 0 });
    await other.back(id, 3);
    expect([other.holds('hidden_debug'), other.holds('ac_roaming')]).toEqual([debug, roaming]);
    expect(await other.page('hidden_debug')).toMatchObject({ state: 'applied', local: null });
  });

  test.each(['before', 'after'] as const)('that loses power %s applying the pages has all of them after it reconnects', async (moment) => {
    const other = await begin(`POWER-${moment}`);
    const { boot } = other.gateway;
    other.gateway.faults.applyPower = moment;
    const id = await other.want({ hidden_debug: debug, ac_roaming: roaming }, moment === 'after' ? 60 : 0);
    await vi.waitFor(() => expect(other.gateway.boot).not.toBe(boot), patience);
    const there = moment === 'after' ? [debug, roaming] : [factoryDoc('hidden_debug'), factoryDoc('ac_roaming')];
    expect([other.holds('hidden_debug'), other.holds('ac_roaming')]).toEqual(there);
    await other.back(id, 3);
    expect([other.holds('hidden_debug'), other.holds('ac_roaming')]).toEqual([debug, roaming]);
  });

  test('that is configured for an unreachable console rolls back all pages', async () => {
    const other = await begin('LOST1');
    const platform = {
      ...factoryDoc('advanced_cloud_platform'),
      host: 'elsewhere.example.com',
      merchant_code: 'M',
      device_key: 'secret-key',
    };
    const id = await other.want({ advanced_cloud_platform: platform, hidden_debug: debug }, 30);
    await vi.waitFor(() => expect(other.gateway.configuration.seeksConsole).toBe(false), patience);
    expect(await other.gateway.connect()).toBe(false);
    api.clock.advance(31);
    other.gateway.step(api.clock.now());
    await other.back(id, 5);
    expect(other.holds('hidden_debug')).toEqual(factoryDoc('hidden_debug'));
    expect(await other.page('hidden_debug')).toMatchObject({ state: 'failed', err: 'E_LOST rolled back after 30 s' });
  });

  test('that refuses one page applies none of them', async () => {
    const other = await begin('REJECT1');
    other.gateway.faults.reject = new Set(['ac_roaming']);
    const id = await other.want({ hidden_debug: debug, ac_roaming: roaming });
    await other.ends(id, 4);
    expect(other.holds('hidden_debug')).toEqual(factoryDoc('hidden_debug'));
    expect((await other.page('ac_roaming')).err).toBe('E_APPLY refused');
    expect((await other.page('hidden_debug')).err).toBe('E_SET refused with ac_roaming');
  });
});
