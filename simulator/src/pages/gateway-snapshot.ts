import type { Random } from '@farlink/contract/kit/random.ts';
import { rowsOf } from '@farlink/gateway/kit/document.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { GatewayInternals } from '../gateway-internals.ts';
import { type Host, hostsOf } from './hosts.ts';
import { type Wan, wansOf } from './wans.ts';

/** Momentary values stay constant for these seconds. */
const momentS = 3;

export const degrees = (n: number): string => n.toFixed(5);

/** State of a gateway for its pages. Pages that show the same value at the same time agree. */
export class GatewaySnapshot {
  readonly gateway: GatewayInternals;
  readonly now: number;
  #wans: readonly Wan[] | undefined;
  #hosts: readonly Host[] | undefined;

  constructor(gateway: GatewayInternals) {
    this.gateway = gateway;
    this.now = gateway.now();
  }

  /** Random stream that is constant for a few seconds. */
  moment(stream: string): Random {
    return this.gateway.fork(`${stream} ${Math.floor(this.now / momentS)}`);
  }

  /** Random stream that never changes. */
  lasting(stream: string): Random {
    return this.gateway.fork(stream);
  }

  /** The active document of a section, or its factory values. */
  doc(section: string): JsonObject {
    return this.gateway.sections.doc(section);
  }

  rows(section: string): readonly JsonObject[] {
    return rowsOf(this.doc(section)).filter((row) => row.enabled !== false);
  }

  /** The key values of the rows of a list. */
  names(section: string): string[] {
    const key = gatewayPages.get(section)?.keyField ?? 'name';
    return this.rows(section).map((row) => String(row[key]));
  }

  get wans(): readonly Wan[] {
    this.#wans ??= wansOf(this);
    return this.#wans;
  }

  /** The active uplink, if any. */
  get active(): Wan | undefined {
    return this.wans.find((wan) => wan.isActive);
  }

  /** The name of an uplink by its link. */
  wanName(link: unknown): string {
    return this.wans.find((wan) => wan.link === link)?.name ?? (typeof link === 'string' ? link : '');
  }

  get hosts(): readonly Host[] {
    this.#hosts ??= hostsOf(this);
    return this.#hosts;
  }

  /** Current position, formatted for columns. */
  get position(): { readonly latitude: string; readonly longitude: string } {
    return this.positionAt(this.now);
  }

  positionAt(time: number): { readonly latitude: string; readonly longitude: string } {
    const { lat, lon } = time === this.now ? this.gateway.view().position : this.gateway.world.positionBefore(this.now - time);
    return { latitude: degrees(lat), longitude: degrees(lon) };
  }
}
