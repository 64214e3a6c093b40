import { setTimeout } from 'node:timers/promises';
import { endpoints } from '@farlink/contract/endpoints.ts';
import { operateKey } from '@farlink/contract/kit/endpoint.ts';
import { pages } from '@farlink/contract/pages.ts';
import { Client } from 'pg';
import { openTestServer, password, type Server, startServer, type TestServer } from '../test-server.ts';
import { fillWorld } from './fill.ts';
import { fillRecent, hasRecent } from './recent.ts';
import { fullWorld, largeVno, worldShare } from './tables.ts';

const name = worldShare === 1 ? 'bench_world' : `bench_world_${Math.round(1000 * worldShare)}`;
const draft = `${name}_draft`;
export const quiet = { DEMO: 'off', LOG_LEVEL: 'error' };

/** The large VNO is created through the API, so that its permissions are real. */
export const makeLargeVno = async (server: Server) => {
  const pageKeys = pages.filter((page) => page.platform !== 'admin').map((page) => page.permission);
  const calls = endpoints.filter(({ access }) => Array.isArray(access) && access.some((key) => pageKeys.includes(key)));
  const permissions = Object.fromEntries([...pageKeys, ...calls.map(operateKey)].map((key) => [key, '11']));
  const role = await server.post('agent/role', { name: 'Bench', scope: 'unlimited', view_hide_pkg: true, permissions });
  await server.post('agent', {
    username: largeVno.username,
    password,
    repassword: password,
    name: 'Bench VNO',
    parent_id: 1,
    role_id: Object(role).id,
    contacts: '测试人',
    phone: '13900000001',
    agent_mode: 3,
    agent_child_enable: true,
  });
};

const printLine = (line: string) => process.stdout.write(`  ${line}\n`);

const makeDraft = async (testServer: TestServer) => {
  await testServer.dropDatabase(draft);
  const url = await testServer.newDatabase(draft);
  const server = await startServer(url, testServer.folder, quiet);
  await makeLargeVno(server);
  await server.stop();
  process.stdout.write('Filling the world, once...\n');
  await fillWorld(url, fullWorld, printLine);
};

/** A data set of an older version lacks tables and rows. It has the name of a draft until they are filled. */
const makeDraftOf = async (url: string, testServer: TestServer) => {
  const server = await startServer(url, testServer.folder, quiet);
  await server.stop();
  await testServer.dropDatabase(draft);
  await testServer.renameDatabase(name, draft);
};

/** The filled database. With BENCH_DATA it is kept in that folder and filled once; a later run migrates it by starting the server. */
export const openWorld = async () => {
  const testServer = await openTestServer(process.env.BENCH_DATA);
  const filled = await testServer.findDatabase(name);
  if (filled && (await hasRecent(filled))) return { testServer, url: filled };
  if (filled) await makeDraftOf(filled, testServer);
  else await makeDraft(testServer);
  await fillRecent((await testServer.findDatabase(draft)) ?? '', fullWorld, printLine);
  await testServer.renameDatabase(draft, name);
  return { testServer, url: (await testServer.findDatabase(name)) ?? '' };
};

/**
 * At its start the server changes rows that became due since the data set was filled, such as expired accounts. Waits for the end of that
 * work and runs VACUUM, as autovacuum does within minutes: until then, index-only scans read changed rows from the table.
 */
const waitForStartWork = async (url: string) => {
  const client = new Client({ connectionString: url });
  await client.connect();
  const changedRows = async () => {
    const { rows } = await client.query<{ n: string }>('select sum(n_tup_ins + n_tup_upd + n_tup_del) as n from pg_stat_user_tables');
    return Number(rows[0]?.n ?? 0);
  };
  const quietS = 10;
  for (let before = -Infinity, now = await changedRows(); now - before > 100 * quietS; before = now, now = await changedRows())
    await setTimeout(1000 * quietS);
  await client.query('vacuum analyze');
  await client.end();
};

export const startOnWorld = async (url: string, folder: string) => {
  const server = await startServer(url, folder, quiet);
  await waitForStartWork(url);
  return server;
};
