import { witnessSection } from '@farlink/gateway/protocol/audit-witness.ts';
import { dangerCapability } from '@farlink/gateway/protocol/danger-list.ts';
import type { Accounts } from './accounts.ts';
import { protocolMapVersion } from './app-flows.ts';
import { billOf } from './config/platform.ts';
import { lanAddress } from './config/reachable-links.ts';
import type { DangerSites } from './danger-sites.ts';
import type { Firmware } from './firmware.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { transferFrom } from './operations/binding.ts';
import type { LinkName } from './radio.ts';
import type { Sections } from './sections.ts';

interface HelloSource {
  readonly sn: string;
  readonly boot: string;
  readonly model: string;
  readonly current: LinkName | undefined;
  readonly firmware: Firmware;
  readonly sections: Sections;
  readonly accounts: Accounts;
  readonly danger: DangerSites;
  now(): number;
  view(): { readonly uptime: number };
}

/** The hello message of a gateway. */
export const helloOf = (gateway: HelloSource, { opt, bill: fitted }: Pick<GatewayOptions, 'opt' | 'bill'>, docker: number) => {
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
    caps: [
      ...(firmware.isAtLeast(transferFrom) ? ['transfer'] : []),
      'docker',
      'remote',
      ...(firmware.storesAccounts ? ['accounts', 'radius', 'release', 'brand', 'login', 'dpi', witnessSection] : []),
      ...(firmware.servesPortal ? ['portal'] : []),
      ...(firmware.blocksSites ? [dangerCapability] : []),
    ],
    ...(firmware.storesAccounts && { acc: gateway.accounts.summary, pm: protocolMapVersion }),
    ...(firmware.blocksSites && { danger: gateway.danger.summary }),
    docker,
    ...(opt !== undefined && { opt: { st: opt } }),
    ...(bill !== undefined && { bill }),
    up: gateway.view().uptime,
    hw: `hw-${gateway.sn}`,
    ip: lanAddress(sections),
    ...(current && { link: current }),
  };
};
