import { billOf } from './config/platform.ts';
import { lanAddress } from './config/reachable-links.ts';
import type { Gateway } from './gateway.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { transferFrom } from './operations/binding.ts';

/** Content of the hello message. */
export const helloOf = (gateway: Gateway, { opt, bill: fitted }: Pick<GatewayOptions, 'opt' | 'bill'>, docker: number) => {
  const { firmware, sections, current } = gateway;
  const bill = billOf(sections) ?? fitted;
  return {
    boot: gateway.boot,
    fw: firmware.version,
    ...(firmware.previous && { fwp: firmware.previous }),
    model: gateway.model,
    t: gateway.now(),
    h: sections.digest(),
    cfg: sections.revisions(),
    caps: firmware.isAtLeast(transferFrom) ? ['transfer', 'docker', 'remote'] : ['docker', 'remote'],
    docker,
    ...(opt !== undefined && { opt: { st: opt } }),
    ...(bill !== undefined && { bill }),
    up: gateway.view().uptime,
    hw: `hw-${gateway.sn}`,
    ip: lanAddress(sections),
    ...(current && { link: current }),
  };
};
