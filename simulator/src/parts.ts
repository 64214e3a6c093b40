import type { Box } from './box.ts';
import { Containers } from './containers.ts';
import { Files } from './files.ts';
import { Tunnels } from './tunnels.ts';
import { Users } from './users.ts';

interface PartsOptions {
  readonly docker?: 0 | 1 | 2 | 3 | 4;
  readonly accounts?: readonly string[];
}

/** What works inside a gateway, made when it is first needed: most gateways of a large fleet need little of it. */
export class Parts {
  readonly #box: Box;
  readonly #o: PartsOptions;
  #files: Files | undefined;
  #containers: Containers | undefined;
  #users: Users | undefined;
  #tunnels: Tunnels | undefined;

  constructor(box: Box, options: PartsOptions) {
    this.#box = box;
    this.#o = options;
  }

  get files(): Files {
    this.#files ??= new Files(this.#box);
    return this.#files;
  }

  get containers(): Containers {
    this.#containers ??= new Containers(this.#box, this.#o.docker ?? 1);
    return this.#containers;
  }

  get users(): Users {
    this.#users ??= new Users(this.#box, this.#o.accounts ?? []);
    return this.#users;
  }

  get tunnels(): Tunnels {
    this.#tunnels ??= new Tunnels(this.#box);
    return this.#tunnels;
  }

  get docker(): 0 | 1 | 2 | 3 | 4 {
    return this.#containers?.status ?? this.#o.docker ?? 1;
  }

  /** Whatever goes over the link breaks off. */
  disturb() {
    this.#files?.disturb();
    this.#tunnels?.closeAll();
  }

  rebooted() {
    this.#users?.signAllOut('lost');
  }

  /** A minute in which nobody asks for anything. */
  idle() {
    if (this.#containers || this.#box.random.chance(0.001)) this.containers.step();
  }
}
