import { Accounts } from './accounts.ts';
import { Containers } from './containers.ts';
import { Files } from './files.ts';
import type { GatewayInternals } from './gateway-internals.ts';
import { People } from './people.ts';
import { Portal } from './portal/portal.ts';
import { PortalServer } from './portal/portal-server.ts';
import { RadiusClient } from './radius/radius-client.ts';
import { serve } from './services/serve.ts';
import type { Session } from './session.ts';
import { TempReleases } from './temp-releases.ts';
import { Tunnels } from './tunnels.ts';
import { Users } from './users.ts';

interface ServiceOptions {
  readonly docker?: 0 | 1 | 2 | 3 | 4;
  readonly accounts?: readonly string[];
  readonly passwords?: Readonly<Record<string, string>>;
  readonly calm?: boolean;
  readonly radiusRetryMs?: number;
  readonly passTimeoutMs?: number;
  readonly portalPort?: number;
}

/** Services of a gateway, created on first use. Most gateways of a large fleet need few of them. */
export class GatewayServices {
  readonly #gateway: GatewayInternals;
  readonly #o: ServiceOptions;
  #files: Files | undefined;
  #containers: Containers | undefined;
  #users: Users | undefined;
  #people: People | undefined;
  #tunnels: Tunnels | undefined;
  #radius: RadiusClient | undefined;
  #tempReleases: TempReleases | undefined;
  #portal: Portal | undefined;
  #portalServer: PortalServer | undefined;

  readonly accounts = new Accounts();

  constructor(gateway: GatewayInternals, options: ServiceOptions) {
    this.#gateway = gateway;
    this.#o = options;
  }

  get files(): Files {
    this.#files ??= new Files(this.#gateway);
    return this.#files;
  }

  get containers(): Containers {
    this.#containers ??= new Containers(this.#gateway, this.#o.docker ?? 1);
    return this.#containers;
  }

  get users(): Users {
    this.#users ??= new Users(this.#gateway, { browse: !this.#o.calm, radius: () => this.radius });
    return this.#users;
  }

  get radius(): RadiusClient {
    const sessions = {
      all: () => this.users.sessions,
      kick: (sid: string) => void this.users.signOut(sid, 'kick'),
      changed: (session: Session) => this.users.limitsChanged(session),
    };
    this.#radius ??= new RadiusClient(this.#gateway, sessions, this.#o.radiusRetryMs);
    return this.#radius;
  }

  get people(): People {
    this.#people ??= new People(this.#gateway, this.#o.accounts ?? [], this.#o.passwords ?? {});
    return this.#people;
  }

  get tempReleases(): TempReleases {
    this.#tempReleases ??= new TempReleases(this.#gateway);
    return this.#tempReleases;
  }

  get portal(): Portal {
    this.#portal ??= new Portal(this.#gateway, () => this.#probe());
    return this.#portal;
  }

  /** A gateway with a port serves its portal from the first bundle on. */
  async #probe() {
    const { portalPort } = this.#o;
    if (portalPort !== undefined) await this.portalServer.listen(portalPort).catch(() => undefined);
    return this.portalServer.probe();
  }

  get portalServer(): PortalServer {
    this.#portalServer ??= new PortalServer(this.#gateway, this.#o.passTimeoutMs);
    return this.#portalServer;
  }

  get tunnels(): Tunnels {
    this.#tunnels ??= new Tunnels(
      (service, channel, signed) => serve(this.#gateway, service, channel, signed),
      (up, down) => this.#gateway.own.add('remote', up, down),
    );
    return this.#tunnels;
  }

  get docker(): 0 | 1 | 2 | 3 | 4 {
    return this.#containers?.status ?? this.#o.docker ?? 1;
  }

  /** Aborts all traffic over the link. */
  disturb() {
    this.#files?.disturb();
    this.#tunnels?.closeAll();
    this.#radius?.disturb();
    this.#portal?.disturb();
  }

  stop() {
    this.disturb();
    this.#portalServer?.close();
  }

  rebooted() {
    this.#users?.rebooted();
  }

  /** Steps the containers. They are created only with a low probability per step. */
  idle() {
    if (this.#containers || this.#gateway.random.chance(0.001)) this.containers.step();
  }
}
