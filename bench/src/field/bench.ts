import { Pool } from 'pg';
import { table } from '../measure.ts';
import { one, postgresOf } from '../processor.ts';
import { openTestServer, startServer } from '../test-server.ts';
import { addDevices, connectAll, countOnline, freePort } from './fleet.ts';
import { measureIngest } from './ingest.ts';
import { measureStorm } from './storm.ts';

const gatewayCount = 10_000;

export const benchField = async () => {
  const testServer = await openTestServer();
  const port = await freePort();
  const env = { DEMO: 'off', LOG_LEVEL: 'error', MQTT_PORT: String(port), MQTT_HOST: '127.0.0.1' };
  const server = await startServer(testServer.url, testServer.folder, env);
  const pool = new Pool({ connectionString: testServer.url });
  try {
    await addDevices(pool, gatewayCount);
    const before = server.residentMb();
    const began = performance.now();
    const clients = await connectAll(port, gatewayCount);
    const coming = (performance.now() - began) / 1000;
    const after = server.residentMb();
    table(`${(await countOnline(pool)).toLocaleString('en')} gateways on one process`, [
      ['memory of the server', `${after.toFixed(0)} MB`, 'target <= 1024 MB for 10,000'],
      ['memory each', `${(((after - before) * 1024) / gatewayCount).toFixed(1)} KB`],
      ['all online within', `${coming.toFixed(1)} s`],
    ]);
    await measureIngest(clients, pool, testServer.folder, { server: one(server.pid), database: await postgresOf(pool) });
    for (const client of clients) client.destroy();
    await measureStorm(port, gatewayCount, pool, server);
  } finally {
    await pool.end();
    await server.stop();
    await testServer.close();
  }
};
