import { endpoints } from '@farlink/contract/endpoints.ts';
import { operateKey } from '@farlink/contract/kit/endpoint.ts';
import { pages } from '@farlink/contract/pages.ts';
import { openTestServer, password, type Server, startServer } from '../test-server.ts';
import { fillWorld } from './fill.ts';
import { fillRecent, hasRecent } from './recent.ts';
import { fullWorld, largeVno, worldShare } from './tables.ts';

const name = worldShare === 1 ? 'bench_world' : `bench_world_${Math.round(1000 * worldShare)}`;
const draft = `${name}_draft`;
export const quiet = { DEMO: 'off', LOG_LEVEL: 'error' };

/** The large VNO is created through the API, so that its permissions are real. */
export const makeLargeVno = async (server: Server) => {
  const held = pages.filter((page) => page.platform !== 'admin').map((page) => page.permission);
  const calls = endpoints.filter(({ access }) => Array.isArray(access) && access.some((key) => held.includes(key)));
  const permissions = Object.fromEntries([...held, ...calls.map(operateKey)].map((key) => [key, '11']));
  const role = await server.post('agent/role', { name: 'Bench', scope: 'unlimited', view_hide_pkg: true, permissions });
  await server.post('agent', {
    username: largeVno.username,
    password,
    repassword: password,
    name: 'Bench VNO',
    parent_id: 1,
    role_id: Object(role).id,
    contacts: '测试人',
    phone: '+8613900000001',
    agent_mode: 3,
    agent_child_enable: true,
  });
};

/** The filled database. With BENCH_DATA it is kept in that folder and filled once; a later run migrates it by starting the server. */
export const openWorld = async () => {
  const testServer = await openTestServer(process.env.BENCH_DATA);
  const filled = await testServer.findDatabase(name);
  if (filled) return { testServer, url: filled };
  await testServer.dropDatabase(draft);
  const url = await testServer.newDatabase(draft);
  const server = await startServer(url, testServer.folder, quiet);
  await makeLargeVno(server);
  await server.stop();
  process.stdout.write('Filling the world, once...\n');
  await fillWorld(url, fullWorld, (line) => process.stdout.write(`  ${line}\n`));
  await testServer.renameDatabase(draft, name);
  return { testServer, url: (await testServer.findDatabase(name)) ?? url };
};

/** Starts the server, which migrates an older world. Tables that a world of an older version lacks are filled first. */
export const startOnWorld = async (url: string, folder: string) => {
  const server = await startServer(url, folder, quiet);
  if (!(await hasRecent(url))) {
    await server.stop();
    await fillRecent(url, fullWorld, (line) => process.stdout.write(`  ${line}\n`));
    return startServer(url, folder, quiet);
  }
  return server;
};
