import { rowsOf } from '@farlink/gateway/kit/document.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { GatewayInternals } from '../gateway-internals.ts';
import type { Random } from '../random.ts';
import { type Host, hostsOf } from './hosts.ts';
import { type Wan, wansOf } from './wans.ts';

/** Numbers of a moment stay as they are so long, whoever looks. */
const momentS = 3;

export const degrees = (n: number): string => n.toFixed(5);

/** A gateway as its pages see it: what they tell of the same thing at the same moment is the same. */
export class GatewaySnapshot {
  readonly gateway: GatewayInternals;
  readonly now: number;
  #wans: readonly Wan[] | undefined;
  #hosts: readonly Host[] | undefined;

  constructor(gateway: GatewayInternals) {
    this.gateway = gateway;
    this.now = gateway.now();
  }

  /** Chance that is the same for this part at this moment. */
  moment(part: string): Random {
    return this.gateway.fork(`${part} ${Math.floor(this.now / momentS)}`);
  }

  /** Chance that is the same for this part for ever. */
  lasting(part: string): Random {
    return this.gateway.fork(part);
  }

  /** The document of a section in force; factory's where nobody has said anything. */
  doc(section: string): JsonObject {
    return this.gateway.sections.doc(section);
  }

  rows(section: string): readonly JsonObject[] {
    return rowsOf(this.doc(section)).filter((row) => row.enabled !== false);
  }

  /** The names of the rows of a list. */
  names(section: string): string[] {
    const key = gatewayPages.get(section)?.keyField ?? 'name';
    return this.rows(section).map((row) => String(row[key]));
  }

  get wans(): readonly Wan[] {
    this.#wans ??= wansOf(this);
    return this.#wans;
  }

  /** The uplink in use; the first one where there is none. */
  get active(): Wan | undefined {
    return this.wans.find((wan) => wan.isActive);
  }

  /** The name of an uplink by the radio behind it. */
  wanName(link: unknown): string {
    return this.wans.find((wan) => wan.link === link)?.name ?? (typeof link === 'string' ? link : '');
  }

  get hosts(): readonly Host[] {
    this.#hosts ??= hostsOf(this);
    return this.#hosts;
  }

  /** Where it is now, in the words of a column. */
  get position(): { readonly latitude: string; readonly longitude: string } {
    return this.positionAt(this.now);
  }

  positionAt(time: number): { readonly latitude: string; readonly longitude: string } {
    const { lat, lon } = time === this.now ? this.gateway.view().position : this.gateway.world.positionBefore(this.now - time);
    return { latitude: degrees(lat), longitude: degrees(lon) };
  }
}
