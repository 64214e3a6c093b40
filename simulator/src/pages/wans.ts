import { networkOfType, typeOfNetwork } from '@farlink/gateway/kit/link-type.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { wiring } from '../config/first-boot.ts';
import type { GatewayInternals } from '../gateway-internals.ts';
import { isLinkName, type LinkName, type LinkNow, rateOf } from '../radio.ts';

/** An uplink: a row of the configuration and its link. */
export interface Wan {
  readonly name: string;
  /** Link type in the terms of the configuration. */
  readonly type: string;
  readonly port: string;
  readonly link: LinkName | undefined;
  readonly now: LinkNow | undefined;
  readonly isActive: boolean;
  /** Capacity in kbit/s. */
  readonly down: number;
  readonly up: number;
  readonly metric: number;
  readonly row: JsonObject;
}

interface WanSource {
  readonly gateway: Pick<GatewayInternals, 'view' | 'current'>;
  rows(section: string): readonly JsonObject[];
}

/** Uplink capacity relative to downlink. */
const share = 0.25;

export const wansOf = (source: WanSource): Wan[] => {
  const { links } = source.gateway.view();
  const made = (row: JsonObject, type: string, name: string, port: string, metric: number): Wan => {
    const network = networkOfType(type);
    const link = isLinkName(network) ? network : undefined;
    const now = links.find(({ i }) => i === link);
    const down = link === undefined ? 100_000 : Math.round((rateOf(link) * 8) / 1000);
    return {
      name,
      type,
      port,
      link,
      now,
      metric,
      row,
      down,
      up: Math.round(down * share),
      isActive: link !== undefined && source.gateway.current === link,
    };
  };
  const configured = source
    .rows('network_wan')
    .map((row, i) => made(row, String(row.link_type), String(row.name), String(row.port ?? 'eth0'), Number(row.metric ?? 10 + i)));
  const missing = links.filter(({ i }) => !configured.some((wan) => wan.link === i));
  return [...configured, ...missing.map(({ i }, n) => made({}, typeOfNetwork(i), wiring[i].name, wiring[i].port, 20 + n))];
};
