import type { Result } from '@farlink/gateway/protocol/message.ts';
import type { Source } from './download.ts';
import type { Files } from './files.ts';
import type { GatewayCore } from './gateway-core.ts';
import { type Act, done, fail } from './operations/result.ts';

const numbersOf = (version: string) =>
  version
    .split('.')
    .map((number) => number.padStart(2, '0'))
    .join('.');

/** Oldest firmware that stores accounts of subscribers. */
const accountsFrom = '03.00.00';

/** Oldest firmware that serves portals of the console. */
const portalFrom = '03.00.00';

/** Oldest firmware that blocks the dangerous websites of the console. */
const dangerFrom = '03.00.00';

interface FirmwareGateway extends Pick<GatewayCore, 'faults' | 'wait' | 'flushed'> {
  readonly files: Pick<Files, 'load'>;
  restart(): Promise<void>;
}

/** Two firmware slots: the running one and the other. A slot that does not boot is abandoned. */
export class Firmware {
  readonly #gateway: FirmwareGateway;
  version: string;
  previous: string | undefined;

  constructor(gateway: FirmwareGateway, version: string, previous?: string) {
    this.#gateway = gateway;
    this.version = version;
    this.previous = previous;
  }

  isAtLeast(version: string): boolean {
    return numbersOf(this.version) >= numbersOf(version);
  }

  /** The gateway serves portals that the console sends. */
  get servesPortal(): boolean {
    return this.isAtLeast(portalFrom);
  }

  get blocksSites(): boolean {
    return this.isAtLeast(dangerFrom);
  }

  /** The gateway stores accounts and authorises logins by itself. */
  get storesAccounts(): boolean {
    return this.isAtLeast(accountsFrom);
  }

  async upgrade(source: Source & { readonly version: string }, act: Act): Promise<Result> {
    const gateway = this.#gateway;
    const { code, err } = await gateway.files.load('firmware', source, act, { scale: 0.9 });
    if (code !== 100) return fail(err ?? 'failed', code);
    act.report({ st: 'run', pct: 92, code: 1 });
    await gateway.wait(20);
    const fault = gateway.faults.upgrade;
    if (fault === 'install') return fail('the image cannot be written', 101);
    if (fault === 'power') {
      await gateway.restart();
      return fail(`power lost while installing, still on ${this.version}`, 101);
    }
    act.report({ st: 'run', pct: 96, code: 1 });
    if (fault === 'boot') {
      // The old slot is used after three failed boots.
      await gateway.restart();
      return fail(`${source.version} did not start, back on ${this.version}`, 101);
    }
    await this.#boot(source.version);
    return done({ version: this.version });
  }

  async rollback(version: string): Promise<Result> {
    if (version !== this.previous) return fail('no such version');
    if (this.#gateway.faults.upgrade === 'boot') {
      await this.#gateway.restart();
      return fail(`${version} did not start, back on ${this.version}`, 101);
    }
    await this.#boot(version);
    return done({ version: this.version });
  }

  /** Switches the version, then restarts. */
  async #boot(version: string) {
    await this.#gateway.flushed();
    [this.version, this.previous] = [version, this.version];
    await this.#gateway.restart();
  }
}
