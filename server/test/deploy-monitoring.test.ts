/** @module-tag all */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deployed, deployFolder, has, programs, runToEnd, stopProgram } from './deploy.ts';
import { freePort } from './mosquitto.ts';
import { promqlNames } from './promql-names.ts';
import { type ServerProcess, startProcess } from './server-process.ts';
import { withClient } from './setup/clean-up.ts';
import { createTestDatabase, type TestDatabase } from './setup/database.ts';

const folder = fileURLToPath(deployFolder);
const promtool = (...args: string[]) => runToEnd(programs.promtool, args, folder);

describe.skipIf(!has('promtool'))('deploy: Prometheus', () => {
  it('accepts the scrape configuration and the alert rules', () => {
    expect(promtool('check', 'config', 'prometheus.yml')).toMatchObject({ status: 0 });
    expect(promtool('check', 'rules', 'alerts.yml')).toMatchObject({ status: 0 });
  });

  it('raises each alert in its test case, and none in a healthy installation', () => {
    const { status, output } = promtool('test', 'rules', 'alert-cases.yml');
    expect([status, output]).toEqual([0, expect.stringContaining('SUCCESS')]);
    const names = [...deployed('alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    const tested = [...deployed('alert-cases.yml').matchAll(/name: (\w+) fires/g)].map(([, name]) => name);
    expect(tested).toEqual(names);
  });
});

/** Strings of a JSON document under the given names, at any depth. */
const valuesOf = (value: unknown, names: readonly string[]): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    names.includes(name) && typeof item === 'string' ? [item] : valuesOf(item, names),
  );
};

const dashboardQueries = (): string[] => {
  const dashboard: unknown = JSON.parse(deployed('grafana-dashboard.json'));
  const variables = valuesOf(dashboard, ['definition']).map((text) => text.replace(/^label_values\((.*), \w+\)$/, '$1'));
  return [...valuesOf(dashboard, ['expr']), ...variables];
};
const alertQueries = () => [...deployed('alerts.yml').matchAll(/^ +expr: (['"])(.*)\1$/gm)].map(([, , text = '']) => text);

/** Labels that the scrape configuration adds. */
const scraped = ['job', 'instance', 'role'];

let database: TestDatabase;
let data: string;
let server: ServerProcess;
/** Names of metrics with the labels of their samples. */
let metrics: Map<string, Set<string>>;

const readMetrics = (text: string) => {
  const found = new Map<string, Set<string>>();
  for (const [, name = ''] of text.matchAll(/^# TYPE (\S+)/gm)) found.set(name, new Set());
  for (const [, name = '', labels = ''] of text.matchAll(/^([a-z_]\w*)(?:\{(.*)\})? \S+$/gm)) {
    const known = found.get(name) ?? new Set<string>();
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label);
    found.set(name, known);
  }
  return found;
};

/** Values that a new installation does not have: a failed job, and a certificate that another process serves. */
const addPast = () =>
  withClient(database.url, async (client) => {
    const now = Math.floor(Date.now() / 1000);
    await client.query(
      `insert into job (kind, payload, state, run_at, create_at, finish_at) values ('test_kind', '{}', 'failed', $1, $1, $1)`,
      [now],
    );
    const figures = { certificates: [{ use: 'https', host: 'console.example.com', expire_at: now + 86_400 }] };
    await client.query(
      `insert into process_node (id, name, roles, version, seen_at, figures)
       values (gen_random_uuid(), 'other', '{api}', '0.1.0', now() + interval '1 hour', $1)`,
      [JSON.stringify(figures)],
    );
  });

/** A connection that is closed because of a protocol error. */
const sendNoMqtt = async (port: number) => {
  const socket = connect(port, '127.0.0.1');
  socket.resume().write(Buffer.alloc(64, 0xff));
  await once(socket, 'close');
};

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'farlink-metrics-'));
  database = await createTestDatabase();
  await addPast();
  // HTTPS has a certificate, a worker has jobs, and every role has its own metrics.
  const ports = {
    HTTPS_PORT: '0',
    MQTT_PORT: `${await freePort()}`,
    REMOTE_SSH_PORT: `${await freePort()}`,
    REMOTE_WEB_PORT: `${await freePort()}`,
  };
  const radius = { RADIUS_AUTH_PORT: '0', RADIUS_ACCT_PORT: '0', RADSEC_PORT: `${await freePort()}`, RADIUS_HOST: '127.0.0.1' };
  server = await startProcess(data, { DATABASE_URL: database.url, MQTT_HOST: '127.0.0.1', ...ports, ...radius });
  await sendNoMqtt(Number(ports.MQTT_PORT));
  metrics = readMetrics(await (await fetch(`${server.base}/metrics`)).text());
});
afterAll(async () => {
  await stopProgram(server);
  await database.drop();
  rmSync(data, { recursive: true, force: true });
});

describe.each([
  ['alerts.yml', alertQueries],
  ['grafana-dashboard.json', dashboardQueries],
])('deploy: %s', (_, queries) => {
  it('uses only metrics and labels that a running server has', () => {
    const list = queries();
    expect(list.length).toBeGreaterThan(20);
    const faults = list.flatMap((query) => {
      const { names, labels } = promqlNames(query);
      const own = [...names].filter((name) => name !== 'up');
      const known = new Set([...own.flatMap((name) => [...(metrics.get(name) ?? [])]), ...scraped]);
      return [
        ...own.filter((name) => !metrics.has(name)).map((name) => `${query}: no metric ${name}`),
        ...[...labels].filter((label) => !known.has(label)).map((label) => `${query}: no label ${label}`),
      ];
    });
    expect(faults).toEqual([]);
  });
});

it('promqlNames reads metric names and labels of a query', () => {
  const query =
    'sum by (role, le) (rate(a_count{x="b{c}", y=~"d"}[5m] offset 30m)) / on (z) 2 * min(e) > 3 and up unless absent(f{g!="h"})';
  const { names, labels } = promqlNames(query);
  expect([[...names], [...labels]]).toEqual([
    ['a_count', 'e', 'up', 'f'],
    ['role', 'le', 'z', 'x', 'y', 'g'],
  ]);
});
