import type { Deps, RemoteAccess } from '../kit/deps.ts';
import { loadHostKey } from './host-key.ts';
import { type Hub, openHub } from './hub.ts';
import { openSshServer } from './ssh-server.ts';
import { terminalRoutes } from './terminal/routes.ts';
import { openWebProxy } from './web/web-proxy.ts';

export interface Remote {
  readonly access: RemoteAccess;
  readonly hub: Hub;
  readonly webPort: number;
  close(): Promise<void>;
}

/** Reports which of the two ports could not be opened. */
export class PortFault extends Error {
  readonly which: 'ssh' | 'web';

  constructor(which: 'ssh' | 'web', cause: unknown) {
    super(which, { cause });
    this.which = which;
  }
}

const orFault = async <T>(which: 'ssh' | 'web', opening: Promise<T>): Promise<T> => {
  try {
    return await opening;
  } catch (error) {
    throw new PortFault(which, error);
  }
};

/** Remote access: tunnels on one port, web pages on another, terminals on the port of the console. */
export const openRemote = async (deps: Deps): Promise<Remote> => {
  const { config, log } = deps;
  const { sshPort, sshHost, sshAddress, webPort, webPorts, webUrl } = config.remote;
  const { key, fingerprint } = loadHostKey(config.dataDir);
  const hub = openHub(deps);
  const closers = [() => hub.close()];
  const close = async () => {
    for (const closer of closers.splice(0)) await closer();
  };
  try {
    const ssh = await orFault('ssh', openSshServer({ host: sshHost, port: sshPort, key, hub, log, unfinished: config.unfinished }));
    closers.push(() => ssh.close());
    const web = await orFault('web', openWebProxy({ deps, hub, host: config.host, port: webPort, ports: webPorts, url: webUrl }));
    closers.push(() => web.close());
    const outside = sshAddress ?? { host: config.publicUrl ? new URL(config.publicUrl).hostname : '127.0.0.1', port: undefined };
    return {
      access: {
        node: hub.node,
        ssh: { host: outside.host, port: outside.port ?? ssh.port, fingerprint },
        address: (consoleHost) => web.address(consoleHost),
        routes: terminalRoutes(deps, hub),
      },
      hub,
      webPort: web.port,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};
