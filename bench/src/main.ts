import { benchAudit } from './audit.ts';
import { benchAuditPages } from './audit-pages.ts';
import { benchAuditVerify } from './audit-verify.ts';
import { benchCampaign } from './campaign.ts';
import { benchCards } from './cards.ts';
import { benchConfig } from './config.ts';
import { benchConfigWeb } from './config-web.ts';
import { benchDomains } from './domains.ts';
import { benchField } from './field/bench.ts';
import { benchLive } from './field/live.ts';
import { benchFleet } from './fleet/bench.ts';
import { benchIdle } from './idle.ts';
import { benchList } from './list.ts';
import { benchMetering } from './metering.ts';
import { benchPortal } from './portal.ts';
import { benchRadius } from './radius/bench.ts';
import { benchTraffic } from './traffic.ts';
import { benchTrafficPages } from './traffic-pages.ts';
import { benchOpening, benchUsers } from './users.ts';
import { benchWeb } from './web.ts';

/**
 * npm run bench -- [list] [users] [opening] [web] [cards] [field] [metering] [live] [idle] [config] [campaign] [pages] [radius] [domains] [portal] [traffic] [traffic-pages] [audit] [audit-verify] [audit-pages] [fleet]: ratios to a reference that is measured in the
 * same run on the same machine.
 */
const benches: Record<string, () => Promise<void>> = {
  list: benchList,
  users: benchUsers,
  opening: benchOpening,
  web: benchWeb,
  cards: benchCards,
  field: benchField,
  metering: benchMetering,
  config: benchConfig,
  campaign: benchCampaign,
  pages: benchConfigWeb,
  live: benchLive,
  idle: benchIdle,
  radius: benchRadius,
  domains: benchDomains,
  portal: benchPortal,
  traffic: benchTraffic,
  'traffic-pages': benchTrafficPages,
  audit: benchAudit,
  'audit-verify': benchAuditVerify,
  'audit-pages': benchAuditPages,
  fleet: benchFleet,
};
const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in benches));
if (unknown.length > 0) {
  process.stderr.write(`No such measurement: ${unknown.join(', ')}. There are: ${Object.keys(benches).join(', ')}.\n`);
  process.exit(1);
}
for (const [name, run] of Object.entries(benches)) if (names.length === 0 || names.includes(name)) await run();
