import { configCalls as calls, keptSecret } from '@farlink/contract/config/config.ts';
import type { Fields } from '@farlink/contract/kit/field.ts';
import { isDocument, mapSecrets, rowsOf } from '@farlink/gateway/kit/document.ts';
import { type GatewayPage, isSection } from '@farlink/gateway/kit/page.ts';
import { sampleConfig, sampleFile, sectionsInOrder } from '@farlink/gateway/kit/sample.ts';
import { type FieldPosition, fieldPositions } from '@farlink/gateway/kit/sample-invalid.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import type { Json, JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { Gateway } from '@farlink/simulator/gateway.ts';
import { expect, vi } from 'vitest';
import { type Api, type Caller, readReply } from './api.ts';
import { type FleetApi, startFleetApi } from './fleet-api.ts';
import { patience } from './patience.ts';

/** Helpers of the generated configuration tests: a configured ship, sample configurations that keep it reachable, and all their fields. */

export const sections = sectionsInOrder();
export const pagesOf = (...kinds: readonly string[]) => [...gatewayPages.values()].filter(({ kind }) => kinds.includes(kind));

export const openProof = async (env: Record<string, string> = {}) => {
  const api = await startFleetApi(env);
  const admin = await api.login('admin');
  return { api, admin, platformId: admin.session?.agent_id ?? 0 };
};

/** A ship with all its links that has reported its initial configuration. */
export const addConfiguredShip = async (api: FleetApi, admin: Caller, agentId: number, sn: string) => {
  const made = await api.addGateway(agentId, sn, {
    configured: true,
    calm: true,
    at: { lat: 20, lon: 115 },
    links: ['6d', 'low_orbit', 'l_band'],
  });
  made.gateway.step(api.clock.now());
  await made.gateway.connect();
  const page = async (key: string) => (await admin.call(calls.page, { device_id: made.id, page: key })).data;
  await vi.waitFor(async () => expect(rowsOf({ rows: [], ...(await page('docker_container')).doc })).not.toEqual([]), patience);
  const draft = async (key: string, doc: unknown) => {
    const { rev } = await page(key);
    return admin.call(calls.draft, { device_id: made.id, page: key, base_rev: rev, doc });
  };
  /** Saves a draft that is always invalid. */
  const tryDraft = (key: string, doc: JsonObject) => admin.call(calls.draft, { device_id: made.id, page: key, base_rev: 0, doc });
  const apply = (pages: readonly string[], keep = 0) => admin.call(calls.apply, { device_id: made.id, pages, keep });
  const review = async () => (await admin.call(calls.review, { device_id: made.id, lang: 'en' })).data;
  const discard = () => admin.call(calls.discard, { device_id: made.id });
  const stateOf = (id: number) => api.db.selectFrom('config_apply').select(['state', 'err']).where('id', '=', id).executeTakeFirstOrThrow();
  const ends = (id: number, state: number) => vi.waitFor(async () => expect(await stateOf(id)).toMatchObject({ state }), patience);
  return { ...made, page, draft, tryDraft, apply, review, discard, stateOf, ends };
};
export type ConfiguredShip = Awaited<ReturnType<typeof addConfiguredShip>>;

/** Each LAN keeps one port, so that ports are free for other LANs. */
const withOnePort = (lans: JsonObject): JsonObject => ({
  rows: rowsOf(lans).map((row) => ({ ...row, ports: Array.isArray(row.ports) ? row.ports.slice(0, 1) : [] })),
});

/** A complete configuration that keeps the current access, so that the gateway stays reachable. */
export const sampleFor = (gateway: Gateway, seed: number): ReadonlyMap<string, JsonObject> =>
  sampleConfig({
    seed,
    rows: ({ key }) => (key === 'network_lan' ? 1 : 2),
    base: new Map(
      gateway.sections.names.map((key) => [
        key,
        key === 'network_lan' ? withOnePort(gateway.sections.doc(key)) : gateway.sections.doc(key),
      ]),
    ),
    fixed: { advanced_cloud_platform: { host: '127.0.0.1', accept_config: true } },
  });

/** As shown by the console. */
export const masked = (page: GatewayPage, doc: JsonObject) => mapSecrets(page, doc, () => keptSecret);

const fileFields = (fields: Fields, at = ''): string[] =>
  Object.entries(fields).flatMap(([name, field]) =>
    field.kind === 'file' ? [`${at}${name}`] : field.items ? fileFields(field.items, `${at}${name}.`) : [],
  );
const namesOf = [
  'sample.opt',
  'sample.crt',
  'sample.key',
  'sample.zip',
  'sample.tar',
  'sample.lic',
  'sample.bin',
  'sample.tar.gz',
  'sample.bak',
];

interface FileTarget {
  readonly device_id: number;
  readonly page: string;
  readonly field: string;
}

/** Uploads the content of a file field. */
export const uploadTo = async (api: Pick<Api, 'base'>, by: Caller, target: FileTarget, content: string, name: string) => {
  const { uid = 0, agent_id = 0, token = '' } = by.session ?? {};
  const form = new FormData();
  for (const [key, value] of Object.entries({ uid, agent_id, lang: 'zh', ...target })) form.set(key, String(value));
  form.set('file', new Blob([content]), name);
  return readReply(await fetch(`${api.base}/agt/v1/${calls.file.path}`, { method: 'POST', headers: { authorization: token }, body: form }));
};

/** Uploads the sample files for every file field. */
export const uploadSamples = async (api: Api, by: Caller, device_id: number) => {
  for (const page of gatewayPages.values())
    for (const field of isSection(page) ? fileFields(page.fields) : []) {
      const replies = [];
      for (const name of namesOf) replies.push(await uploadTo(api, by, { device_id, page: page.key, field }, 'sample', name));
      const accepted = replies.filter(({ code }) => code === 0);
      expect(accepted[0]?.data, `${page.key}.${field}`).toMatchObject(sampleFile);
      expect(accepted.length).toBeLessThan(namesOf.length);
    }
};

/** Path without row indexes. */
export const nameOf = (path: string) => path.replace(/\[\d+\]/g, '');

/** Every field of a page once, in a document that contains it. */
export const everyField = (page: GatewayPage, configs: readonly ReadonlyMap<string, JsonObject>[]): readonly FieldPosition[] => {
  const found = new Map<string, FieldPosition>();
  for (const docs of configs)
    for (const position of fieldPositions(page, docs.get(page.key) ?? {}))
      if (!found.has(nameOf(position.path))) found.set(nameOf(position.path), position);
  return [...found.values()];
};

/** Fields that a reply refuses. */
export const refusedAt = (reply: { readonly data: unknown }): string[] => {
  const { data } = reply;
  return typeof data === 'object' && data !== null && 'fields' in data && typeof data.fields === 'object' && data.fields
    ? Object.keys(data.fields)
    : [];
};

/** Same document, with every reference to a row of another page replaced by `change`. */
export const mapRefs = (fields: Fields, doc: JsonObject, change: (path: string) => string, at = ''): JsonObject =>
  Object.fromEntries(
    Object.entries(doc).map(([name, value]): [string, Json] => {
      const field = fields[name];
      const inner = field?.items;
      if (field?.kind === 'ref') return [name, change(`${at}${name}`)];
      if (!inner || !Array.isArray(value)) return [name, value];
      return [name, value.map((one, i): Json => (isDocument(one) ? mapRefs(inner, one, change, `${at}${name}[${i}].`) : one))];
    }),
  );
