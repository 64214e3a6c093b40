/** @module-tag all */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codes } from '@farlink/gateway/radius/attributes.ts';
import { attribute, octetsOf } from '@farlink/gateway/radius/values.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../test/mosquitto.ts';
import { programEnv } from '../../test/program-env.ts';
import { accounting, openRadiusWorld, openUdpNas, pap } from '../../test/radius.ts';
import { type ServiceDeps, serviceDeps } from '../../test/setup/service-deps.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'farlink-radius-'));

let service: ServiceDeps;
let world: Awaited<ReturnType<typeof openRadiusWorld>>;
let ports: { readonly authPort: number; readonly acctPort: number };
let child: ChildProcess | undefined;

beforeAll(async () => {
  service = await serviceDeps();
  world = await openRadiusWorld(service.deps, service.me.agent_id);
  ports = { authPort: await freePort(), acctPort: await freePort() };
});
afterAll(async () => {
  child?.removeAllListeners('exit').kill('SIGKILL');
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A process with RADIUS alone, on the database of the test. */
const launch = async () => {
  const { pool, config } = service.deps;
  const env = {
    ROLES: 'radius',
    DATA_DIR: folder,
    DATABASE_URL: pool.options.connectionString ?? '',
    LOG_LEVEL: 'error',
    RADIUS_HOST: '127.0.0.1',
    RADIUS_AUTH_PORT: String(ports.authPort),
    RADIUS_ACCT_PORT: String(ports.acctPort),
    RADSEC_PORT: '0',
    SECRET_KEY: config.secretKey.toString('hex'),
  };
  const started = spawn(process.execPath, [main], { env: { ...programEnv, ...env } });
  child = started;
  await new Promise<void>((ready, broken) => {
    let output = '';
    for (const stream of [started.stdout, started.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (output.includes('Farlink is working.')) ready();
      });
    started.once('exit', () => broken(new Error(`the server ended: ${output}`)));
  });
};

const kill = async () => {
  const exited = child && once(child, 'exit');
  child?.kill('SIGKILL');
  await exited;
};

it('a server killed between Accept and Start, or before an accounting reply, loses and duplicates nothing', async () => {
  const row = await world.makeNas();
  const pkg = await world.makePackage({ time_capacity: 3650 });
  const { id, account } = await world.makeAccount({}, pkg);
  const nas = await openUdpNas(ports, row.secret);
  const mac = (n: number) => attribute('Calling-Station-Id', `AA-BB-CC-00-00-0${n}`);
  const login = (n: number) => nas.request(nas.encode(pap(account, world.password, row.secret, [row.self, mac(n)])));

  await launch();
  const accept = await login(1);
  expect(accept?.code).toBe(codes.accessAccept);
  await kill();
  await launch();
  // The reservation of the killed process still counts as a login.
  expect((await login(2))?.code).toBe(codes.accessReject);

  const own = [
    ...[row.self, attribute('User-Name', account), attribute('Acct-Session-Id', 'killed'), mac(1)],
    attribute('Class', octetsOf(accept ?? { attributes: [] }, 'Class') ?? Buffer.alloc(0)),
  ];
  expect((await nas.request(nas.encode(accounting('start', own))))?.code).toBe(codes.accountingResponse);
  expect(await world.sessions(id)).toHaveLength(1);

  for (const n of [1, 2]) {
    const counters = [
      attribute('Acct-Session-Time', n),
      attribute('Acct-Input-Octets', n * 1000),
      attribute('Acct-Output-Octets', n * 7000),
    ];
    const request = nas.encode(accounting('interim', [...own, ...counters]));
    const first = nas.request(request, 2000);
    await kill();
    await launch();
    const reply = (await first) ?? (await nas.request(request));
    expect(reply?.code).toBe(codes.accountingResponse);
    expect(await world.usage(id)).toMatchObject({ up: n * 1000, down: n * 7000 });
  }
  expect(await world.sessions(id)).toMatchObject([{ up_bytes: 2000, down_bytes: 14_000, logout_at: null }]);
  nas.close();
}, 120_000);
