import type { Random } from '@farlink/contract/kit/random.ts';
import { outputBytes } from '@farlink/gateway/kit/run.ts';
import { isObject, type Json, type JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { GatewayInternals } from '../../gateway-internals.ts';
import type { Act } from '../../operations/result.ts';
import { GatewaySnapshot } from '../gateway-snapshot.ts';
import type { Wan } from '../wans.ts';
import { isStopped } from './stops.ts';

/** A failure reason that is shown to the operator. */
export class ActionFault extends Error {}

export interface FileAddress {
  readonly name: string;
  readonly url: string;
  readonly size: number;
  readonly sha256: string;
}

/** Data that the console adds: a URL for the result and URLs of files. */
export interface Extras {
  /** The operator allowed a link that is billed by volume. */
  readonly any?: boolean | undefined;
  readonly put?: string | undefined;
  readonly files: Readonly<Record<string, string>>;
  /** Object that the arguments name: the firmware of a version, or a backup. */
  readonly source?: { readonly url: string; readonly size: number; readonly sha256: string; readonly version?: string } | undefined;
}

/** A UTF-16 code unit takes at most three bytes. */
const maxOfLine = Math.floor(outputBytes / 3) - 1;

const piecesOf = (text: string): string[][] => {
  const pieces: string[][] = [];
  let remaining = 0;
  for (const line of text.split('\n').map((one) => one.slice(0, maxOfLine))) {
    const bytes = Buffer.byteLength(line) + 1;
    const last = pieces.at(-1);
    if (last && bytes <= remaining) last.push(line);
    else {
      pieces.push([line]);
      remaining = outputBytes;
    }
    remaining -= bytes;
  }
  return pieces;
};

/** One run of an action page: its arguments, its output and its duration. */
export class ActionRun {
  readonly gateway: GatewayInternals;
  readonly act: Act;
  readonly args: JsonObject;
  readonly extras: Extras;
  readonly random: Random;
  readonly #boot: string;
  #lines = 0;
  #pct = 0;

  constructor(gateway: GatewayInternals, act: Act, args: JsonObject, extras: Extras) {
    this.gateway = gateway;
    this.act = act;
    this.args = args;
    this.extras = extras;
    this.random = gateway.fork(`action ${act.id}`);
    this.#boot = gateway.boot;
  }

  /** Number of output lines so far. */
  get lines(): number {
    return this.#lines;
  }

  get snapshot(): GatewaySnapshot {
    return new GatewaySnapshot(this.gateway);
  }

  text(name: string): string {
    return String(this.args[name] ?? '');
  }

  number(name: string, otherwise = 0): number {
    const value = this.args[name];
    return typeof value === 'number' ? value : otherwise;
  }

  flag(name: string): boolean {
    return this.args[name] === true;
  }

  /** Sends output lines and progress, split to fit into messages. */
  print(text: string, pct = this.#pct) {
    this.#pct = Math.max(this.#pct, Math.min(99, Math.round(pct)));
    for (const lines of piecesOf(text)) {
      this.act.report({ st: 'run', pct: this.#pct, out: { n: this.#lines, text: lines.join('\n') } });
      this.#lines += lines.length;
    }
  }

  /** Waits. Throws if the operator stopped the run or the gateway restarted. */
  async wait(seconds: number) {
    await this.gateway.wait(seconds);
    if (isStopped(this.gateway, this.act.id)) throw new ActionFault('stopped');
    if (this.gateway.boot !== this.#boot || !this.gateway.powered) throw new ActionFault('restarted');
  }

  /** The uplink of this name; without a name, the active one. */
  wan(name: Json | undefined): Wan | undefined {
    const { snapshot } = this;
    return snapshot.wans.find((one) => one.name === name) ?? (name === undefined ? snapshot.active : undefined);
  }

  /** Download address of a file argument. */
  file(name: string): FileAddress {
    const value = this.args[name];
    if (!isObject(value)) throw new ActionFault(`no file ${name}`);
    const { name: called, size, sha256 } = value;
    const url = this.extras.files[String(sha256)];
    if (url === undefined) throw new ActionFault('the file cannot be downloaded');
    return { name: String(called), url, size: Number(size), sha256: String(sha256) };
  }
}

/** Executes the action and returns the result. */
export type RunHandler = (run: ActionRun) => Promise<JsonObject>;
