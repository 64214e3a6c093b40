import { Pool } from 'pg';
import { growthLines, measure, runInTurns, Turn, table } from './measure.ts';
import { one, postgresOf, stopwatch } from './processor.ts';
import { openTestServer, type Server, startServer, type TestServer } from './test-server.ts';

/** Queries of an operator on the account list. */
const pages = {
  'first page': 'limit=20',
  'by account': 'limit=20&account=00104729',
  'by phone': 'limit=20&phone=13800007919',
  'by status': 'limit=20&status=frozen',
  'by device': 'limit=20&device_id=1',
  'contains in the name': 'limit=20&name=28dd2c',
} as const;

const accountsOfDevice = 20_000;
const rounds = 3;

const fill = async (pool: Pool, rows: number) => {
  const devices = Math.ceil(rows / accountsOfDevice);
  // One additional device, for the import.
  await pool.query(
    `insert into device (agent_id, name, sn, create_at) select 1, 'Ship ' || g, 'BENCH' || g, 1 from generate_series(1, $1::int) g`,
    [devices + 1],
  );
  await pool.query(
    `insert into package (agent_id, kind, name, package_type, flow_capacity, flow_unit, price, device_ids, create_at, update_at)
     select 1, 'online', 'Crew', 'flow', 10, 'GB', 98, array_agg(id), 1, 1 from device`,
  );
  await pool.query(
    `insert into subscriber (agent_id, account, password, account_type, account_source, status, name, phone, device_id, expire_at, package_id, package_status, create_at, update_at)
     select 1, 'u' || lpad((g::bigint * 104729 % 100000000)::text, 8, '0'), '-', 'personal', 'batch', (array['normal', 'normal', 'normal', 'disabled', 'expired', 'frozen'])[1 + g % 6],
       '船员' || left(md5(g::text), 6), '138' || lpad((g::bigint * 7919 % 100000000)::text, 8, '0'), 1 + g % $2::int, 4000000000, 1, 'normal', 1700000000 + g, 1700000000 + g
     from generate_series(1, $1::int) g`,
    [rows, devices],
  );
  await pool.query('vacuum analyze subscriber');
};

interface Task {
  readonly state: number;
  readonly row_count: number;
}

/** Runs an export until its file is ready: duration and memory growth. */
const exportAll = async (server: Server, format: 'csv' | 'xlsx') => {
  const before = server.residentMb();
  let peak = before;
  const start = performance.now();
  await server.post('user/export/all', { format, lang: 'zh' });
  for (;;) {
    const { data }: { data: { list: readonly Task[] } } = JSON.parse(await server.get('user/export/all?lang=zh'));
    const [task] = data.list;
    peak = Math.max(peak, server.residentMb());
    if (task?.state === 1) return { seconds: (performance.now() - start) / 1000, growth: peak - before, rows: task.row_count };
    if (task && [3, 5, 7, 9, 10].includes(task.state)) throw new Error(`the export ended in state ${task.state}`);
    await new Promise((done) => setTimeout(done, 100));
  }
};

/** The same file written by COPY in PostgreSQL. */
const copySeconds = async (pool: Pool, folder: string) => {
  const start = performance.now();
  await pool.query(
    `copy (select s.account, s.name, s.phone, s.id_number, s.email, s.account_type, s.account_source, s.status, s.online_count > 0, s.allow_logins, p.name,
       s.package_status, p.cycle_length is not null, coalesce(d.name, g.name), to_timestamp(s.expire_at), s.bind_ip, s.bind_mac, s.vlan_id, s.balance, s.custom_policy,
       to_timestamp(s.cert_start_at), to_timestamp(s.cert_end_at), s.issuing_authority, s.photo_key, a.name, s.remark, to_timestamp(s.create_at)
     from subscriber s left join agent a on a.id = s.agent_id left join package p on p.id = s.package_id
       left join device d on d.id = s.device_id left join device_group g on g.id = s.device_group_id
     order by s.create_at desc, s.id desc) to '${folder}/users.csv' csv header`,
  );
  return (performance.now() - start) / 1000;
};

/** Three runs each in turns, because the speed of the machine varies. */
const exportByTurns = async (server: Server, format: 'csv' | 'xlsx', copy: () => Promise<number>) => {
  let seconds = 0;
  let limit = 0;
  let growth = 0;
  let rows = 0;
  for (let round = 0; round < rounds; round++) {
    limit += (await copy()) / rounds;
    const done = await exportAll(server, format);
    seconds += done.seconds / rounds;
    growth += done.growth;
    rows = done.rows;
  }
  return { seconds, limit, growth, rows };
};

/** Runs until the last account is imported. */
const importUsers = async (server: Server, pool: Pool, rows: number) => {
  // The device that `fill` left empty.
  const { rows: devices } = await pool.query<{ id: number }>('select max(id)::int as id from device');
  const deviceId = devices[0]?.id;
  const lines = Array.from(
    { length: rows },
    (_, i) => `imp${String(i).padStart(6, '0')},Secret${i}x,船员${i % 1000},139${String(i).padStart(8, '0')},个人账号,11010519491231002X`,
  );
  const form = new FormData();
  form.append('file', new Blob([`\uFEFF上网账号,上网密码,姓名,手机号,账号类型,证件号码\n${lines.join('\n')}`]), 'users.csv');
  for (const [name, value] of Object.entries({
    lang: 'zh',
    bind_type: 'device',
    device_id: String(deviceId),
    package_id: '1',
    pay_method: 'cash',
  }))
    form.append(name, value);
  await server.post('user/import', form);
  for (;;) {
    const { rows: found } = await pool.query<{ n: number }>(`select count(*)::int as n from subscriber where account like 'imp%'`);
    if (found[0]?.n === rows) return;
    await new Promise((done) => setTimeout(done, 50));
  }
};

/** Opening single accounts at the counter: rate, and processor time of PostgreSQL and of the server for each. */
const openOneByOne = async (server: Server, pool: Pool) => {
  const { rows } = await pool.query<{ id: number }>('select max(id)::int as id from device');
  let n = 0;
  const openOne = async () => {
    const account = `one${String(++n).padStart(7, '0')}`;
    const person = {
      account,
      password: 'Secret2026x',
      repassword: 'Secret2026x',
      amount: '98.00',
      name: '船员',
      phone: '13912345678',
      account_type: 'personal',
      id_number: '11010519491231002X',
    };
    const binding = { bind_type: 'device', device_id: rows[0]?.id, expire_at: 4_000_000_000, allow_logins: 1 };
    await server.post('user/add', { lang: 'zh', account_source: 'counter', ...person, ...binding, package_id: 1, pay_method: 'cash' });
  };
  await openOne();
  // The accounts that `fill` inserted are noted for the gateways first.
  while ((await pool.query<{ n: number }>('select count(*)::int as n from account_change')).rows[0]?.n !== 0)
    await new Promise((done) => setTimeout(done, 500));
  const ofDatabase = stopwatch(await postgresOf(pool));
  const ofServer = stopwatch(one(server.pid));
  const before = n;
  const { perSecond, p50, p95 } = await measure(openOne, 10, 4);
  const count = n - before;
  const { rows: stored } = await pool.query<{ n: number }>(`select count(*)::int as n from subscriber where account like 'one%'`);
  if (stored[0]?.n !== n) throw new Error(`${n} accounts were opened, ${stored[0]?.n} are stored`);
  const { rows: all } = await pool.query<{ n: number }>('select count(*)::int as n from subscriber');
  table(`opening one account at a time, four callers, ${all[0]?.n.toLocaleString('en')} accounts`, [
    ['accounts/s', perSecond.toFixed(0), 'was 74'],
    ['p50 and p95 ms', `${p50.toFixed(1)} / ${p95.toFixed(1)}`],
    ['database ms of processor each', (ofDatabase() / count).toFixed(1), 'was 10.8'],
    ['server ms of processor each', (ofServer() / count).toFixed(1)],
  ]);
};

const openAccounts = async (testServer: TestServer, rows: number) => {
  const url = await testServer.newDatabase(`bench_users_${rows}`);
  const server = await startServer(url, testServer.folder, { DEMO: 'off', LOG_LEVEL: 'error' });
  const pool = new Pool({ connectionString: url });
  await fill(pool, rows);
  return { server, pool };
};

/** Only the counter. */
export const benchOpening = async () => {
  const testServer = await openTestServer();
  try {
    const { server, pool } = await openAccounts(testServer, Number(process.env.BENCH_ACCOUNTS ?? 1_000_000));
    try {
      await openOneByOne(server, pool);
    } finally {
      await pool.end();
      await server.stop();
    }
  } finally {
    await testServer.close();
  }
};

export const benchUsers = async () => {
  const testServer = await openTestServer();
  try {
    const small = await openAccounts(testServer, 10_000);
    const large = await openAccounts(testServer, 1_000_000);
    for (const [title, query] of Object.entries(pages)) {
      const turnOf = ({ server }: typeof small) => new Turn(async () => void (await server.get(`user?lang=zh&${query}`)), 1);
      const few = turnOf(small);
      const many = turnOf(large);
      await runInTurns([few, many]);
      table(`1,000,000 accounts, ${title}`, growthLines(few.measured, many.measured));
    }
    for (const format of ['csv', 'xlsx'] as const) {
      const { seconds, limit, growth, rows } = await exportByTurns(large.server, format, () => copySeconds(large.pool, testServer.folder));
      table(`export of ${rows.toLocaleString('en')} accounts as ${format.toUpperCase()}`, [
        ['seconds', seconds.toFixed(1)],
        ['COPY to CSV, seconds', limit.toFixed(1)],
        ['ratio', `${(seconds / limit).toFixed(2)}x`, format === 'csv' ? 'target <= 3x' : ''],
        ['memory of the server rose by', `${growth.toFixed(0)} MB`, 'target <= 100 MB'],
      ]);
    }
    await openOneByOne(large.server, large.pool);
    const count = accountsOfDevice;
    const start = performance.now();
    await importUsers(large.server, large.pool, count);
    const seconds = (performance.now() - start) / 1000;
    table(`import of ${count.toLocaleString('en')} accounts into a table of 1,000,000`, [
      ['seconds', seconds.toFixed(1)],
      ['accounts/s', (count / seconds).toFixed(0)],
    ]);
    for (const { server, pool } of [small, large]) {
      await pool.end();
      await server.stop();
    }
  } finally {
    await testServer.close();
  }
};
