import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { spread } from '../../src/db/spread/spread.ts';
import { withClient } from './clean-up.ts';

/** TEST_CITUS_URL names a database on the coordinator of a Citus cluster. The module tests then run on spread databases of that cluster. */
export const citusUrl = process.env.TEST_CITUS_URL;
export const onCitus = citusUrl !== undefined && citusUrl !== '';

/** Few, because each test file creates all shards. */
const shards = 2;

interface Node {
  readonly groupid: number;
  readonly nodename: string;
  readonly nodeport: number;
}

const at = (url: string, { nodename, nodeport }: Node, name?: string) => {
  const address = new URL(url);
  address.hostname = nodename;
  address.port = String(nodeport);
  if (name !== undefined) address.pathname = `/${name}`;
  return address.href;
};

const nodesOf = async (url: string): Promise<Node[]> => {
  let nodes: Node[] = [];
  await withClient(url, async (client) => {
    const sql = `select groupid, nodename, nodeport from pg_dist_node where noderole = 'primary' order by groupid`;
    nodes = (await client.query<Node>(sql)).rows;
  });
  return nodes;
};

/** Addresses of the coordinator and of each worker, with the same database. */
export const nodeUrls = async (url: string): Promise<string[]> => (await nodesOf(url)).map((node) => at(url, node));

const onEach = async (url: string, sql: (node: Node) => string, name?: string) => {
  for (const node of await nodesOf(url)) await withClient(at(url, node, name), (client) => client.query(sql(node)));
};

/** Nothing may be connected to a database that is copied; Citus connects to it in the background. */
const close = async (url: string, name: string) => {
  await onEach(url, () => `alter database ${name} allow_connections false`);
  for (let left = 1; left > 0; ) {
    left = 0;
    for (const node of await nodesOf(url))
      await withClient(at(url, node), async (client) => {
        const { rowCount } = await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
        left += rowCount ?? 0;
      });
    await pause(100);
  }
};

/** A migrated and spread database on all nodes, to be copied. */
export const makeCitusTemplate = async (url: string, template: string) => {
  await onEach(url, () => `create database ${template}`);
  await onEach(url, () => 'create extension citus', template);
  const nodes = await nodesOf(url);
  const [coordinator, ...workers] = nodes;
  if (!coordinator || workers.length === 0) throw new Error('TEST_CITUS_URL names no coordinator with workers');
  const own = at(url, coordinator, template);
  await withClient(own, async (client) => {
    await client.query('select citus_set_coordinator_host($1, $2::int)', [coordinator.nodename, coordinator.nodeport]);
    for (const { nodename, nodeport } of workers) await client.query('select citus_add_node($1, $2::int)', [nodename, nodeport]);
  });
  const { pool } = await openDatabase(own, { max: 3 });
  try {
    await migrate(pool);
    await spread(pool, { shards });
  } finally {
    await pool.end();
  }
  await close(url, template);
};

/** A copy on all nodes. Its metadata names the same nodes, and each node uses its database of the same name. */
export const copyCitusDatabase = (url: string, template: string, name: string) =>
  onEach(url, () => `create database ${name} template ${template} strategy wal_log`);

const dropTries = 20;
const dropPauseMs = 500;

/** Citus connects in the background, so a database may be in use again. */
const drop = async (url: string, name: string) => {
  for (let tried = 1; ; tried++) {
    try {
      return await withClient(url, (client) => client.query(`drop database if exists ${name} with (force)`));
    } catch (error) {
      if (tried === dropTries) throw error;
      await pause(dropPauseMs);
    }
  }
};

export const dropCitusDatabase = async (url: string, name: string) => {
  for (const node of await nodesOf(url)) await drop(at(url, node), name);
};

/** Drops all databases of a run by name prefix, on all nodes. */
export const dropCitusDatabases = async (url: string, prefix: string) => {
  const names = new Set<string>();
  for (const node of await nodesOf(url))
    await withClient(at(url, node), async (client) => {
      const { rows } = await client.query<{ datname: string }>('select datname from pg_database where starts_with(datname, $1)', [prefix]);
      for (const { datname } of rows) names.add(datname);
    });
  for (const name of names) await dropCitusDatabase(url, name);
};
