import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../field/fleet.ts';
import { openSubscribers } from './subscribers.ts';
import { type OwnMember, startable, type Target } from './target.ts';

/** Debian's ejabberd has an MQTT 5 broker (mod_mqtt). */
const libraries = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`;
const erlang = '/usr/bin/erl';
const domain = 'localhost';

const modulesOf = () => {
  const name = existsSync(libraries) && readdirSync(libraries).find((entry) => existsSync(join(libraries, entry, 'ebin/mod_mqtt.beam')));
  return name ? join(libraries, name, 'ebin') : undefined;
};

export const hasEjabberd = () => existsSync(erlang) && modulesOf() !== undefined;

const settingsOf = (port: number) => `hosts: [${domain}]
loglevel: 2
auth_method: [anonymous]
anonymous_protocol: login_anon
allow_multiple_connections: true
listen:
  - port: ${port}
    ip: "127.0.0.1"
    module: mod_mqtt
    backlog: 4096
modules:
  mod_mqtt:
    max_queue: infinity
`;

/** Nodes without a name, so each is a separate broker. Any account name of this domain is accepted, with any password. */
export const openEjabberds = async (count: number, folder: string): Promise<Target> => {
  const programs: OwnMember[] = [];
  for (let k = 0; k < count; k++) {
    const port = await freePort();
    const home = join(folder, `ejabberd-${port}`);
    mkdirSync(home);
    const config = join(home, 'ejabberd.yml');
    writeFileSync(config, settingsOf(port));
    const env = { HOME: home, SPOOL_DIR: home, EJABBERD_CONFIG_PATH: config, EJABBERD_LOG_PATH: join(home, 'ejabberd.log') };
    const options = ['-noinput', '+K', 'true', '+P', '250000', '-pa', modulesOf() ?? '', '-mnesia', 'dir', `"${home}/mnesia"`];
    const program = startable({ command: [erlang, ...options, '-s', 'ejabberd'], env, ready: port });
    await program.start();
    programs.push({ port, ...program });
  }
  const subscribers = await openSubscribers(programs, `subscriber@${domain}`);
  return {
    name: `${count} ejabberd brokers`,
    members: programs,
    domain,
    database: () => [],
    received: subscribers.received,
    close: async () => {
      await subscribers.close();
      await Promise.all(programs.map(({ kill }) => kill()));
    },
  };
};
