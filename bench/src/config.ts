import { checkConfig } from '@farlink/gateway/kit/config.ts';
import { differences } from '@farlink/gateway/kit/difference.ts';
import { initialValues, readDocument } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { sampleConfig, sectionsInOrder } from '@farlink/gateway/kit/sample.ts';
import { authLocalUser as users } from '@farlink/gateway/pages/auth/local-user.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { maskDoc, openDoc, sealDoc } from '../../server/src/config-doc/sealed.ts';
import { withKeptSecrets } from '../../server/src/domain/config/kept-secrets.ts';
import { table } from './measure.ts';

/** List lengths of a typical ship. */
const lengths: Readonly<Record<string, number>> = {
  auth_local_user: 400,
  auth_mac: 60,
  auth_whitelist: 40,
  defense_blacklist: 200,
  defense_arp_bind: 120,
  defense_firewall_rule: 60,
  network_dhcp_static: 120,
  network_ip_group: 24,
  qos_rule: 40,
  qos_user_limit: 24,
  ac_ap_list: 24,
  satellite_route_beam: 40,
};
const rows = ({ key }: GatewayPage) => lengths[key] ?? 6;

type Docs = ReadonlyMap<string, JsonObject>;
const pages = sectionsInOrder();
const docIn = (docs: Docs) => (section: string) => docs.get(section) ?? {};

/** Validates fields, references and rules, as the console does for an import and a gateway for a bundle. */
const validate = (docs: Docs, was: Docs): number => {
  const faults = pages.flatMap((page) => readDocument(page, docIn(docs)(page.key)).problems);
  return faults.length + checkConfig([...docs.keys()], docIn(docs), docIn(was)).length;
};
const compare = (docs: Docs, was: Docs): number =>
  pages.reduce((sum, page) => sum + differences(page, docIn(was)(page.key), docIn(docs)(page.key)).length, 0);
const copy = (docs: Docs): number =>
  pages.reduce((sum, { key }) => sum + Object.keys(JSON.parse(JSON.stringify(docIn(docs)(key)))).length, 0);

/** Median of many runs in ms. The tasks alternate, so other load on the machine affects all of them equally. */
const medians = (tasks: readonly (() => number)[], rounds = 60): number[] => {
  const times = tasks.map((): number[] => []);
  for (let round = -10; round < rounds; round++)
    for (const [i, task] of tasks.entries()) {
      const start = performance.now();
      task();
      if (round >= 0) times[i]?.push(performance.now() - start);
    }
  return times.map((list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0);
};

/** The longest list, as a browser sends it with unchanged secrets. */
const benchLongList = () => {
  const rowCount = 20_000;
  const doc: JsonObject = {
    rows: Array.from({ length: rowCount }, (_, i) => ({
      ...initialValues(users.fields),
      account: `crew${i}`,
      password: `Secret${i}`,
      allowed_logins: 1,
    })),
  };
  const key = Buffer.alloc(32, 1);
  const sent = maskDoc(users, doc);
  const sealed = sealDoc(users, doc, key);
  const save = () => sealDoc(users, readDocument(users, withKeptSecrets(users, sent, [openDoc(users, sealed, key)]).values).doc, key);
  const [json = 1, saved = 0] = medians(
    [() => JSON.stringify(JSON.parse(JSON.stringify(doc))).length, () => Object.keys(save()).length],
    10,
  );
  table(`A list of ${rowCount.toLocaleString('en')} accounts: opened, its secrets kept, validated and sealed`, [
    ['JSON.stringify and parse', `${json.toFixed(0)} ms`],
    ['saved', `${saved.toFixed(0)} ms`],
    ['saved / JSON', `${(saved / json).toFixed(1)} x`, 'at most 40 x'],
  ]);
};

export const benchConfig = async () => {
  const was = sampleConfig({ seed: 1, rows });
  const docs = sampleConfig({ seed: 2, rows });
  const faults = validate(docs, was);
  if (faults > 0) throw new Error(`the sample has ${faults} faults`);
  const bytes = JSON.stringify([...docs]).length;
  const [json = 1, valid = 0, diff = 0] = medians([() => copy(docs), () => validate(docs, was), () => compare(docs, was)]);
  table(`A whole configuration: ${pages.length} pages, ${Math.round(bytes / 1000)} KB, ${compare(docs, was)} differences`, [
    ['JSON.stringify and parse', `${json.toFixed(1)} ms`],
    ['validated', `${valid.toFixed(1)} ms`, 'every field, every name, every rule'],
    ['compared', `${diff.toFixed(1)} ms`],
    ['validated / JSON', `${(valid / json).toFixed(1)} x`, 'at most 20 x'],
    ['compared / JSON', `${(diff / json).toFixed(1)} x`, 'at most 10 x'],
  ]);
  benchLongList();
};
