import { benchAudit } from './audit.ts';
import { benchField } from './field/bench.ts';
import { benchFleet } from './fleet/bench.ts';
import { benchIdle } from './idle.ts';
import { benchList } from './list.ts';
import { benchMetering } from './metering.ts';
import { benchRadius } from './radius/bench.ts';
import { benchTraffic } from './traffic.ts';
import { benchTrafficPages } from './traffic-pages.ts';
import { benchOpening, benchUsers } from './users.ts';
import { benchWeb } from './web.ts';

/**
 * npm run bench -- [list] [users] [opening] [web] [field] [metering] [idle] [radius] [traffic] [traffic-pages] [audit] [fleet]: ratios to a
 * reference that is measured in the same run on the same machine. Each carries a decision or a target.
 */
const benches: Record<string, () => Promise<void>> = {
  list: benchList,
  users: benchUsers,
  opening: benchOpening,
  web: benchWeb,
  field: benchField,
  metering: benchMetering,
  idle: benchIdle,
  radius: benchRadius,
  traffic: benchTraffic,
  'traffic-pages': benchTrafficPages,
  audit: benchAudit,
  fleet: benchFleet,
};
const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in benches));
if (unknown.length > 0) {
  process.stderr.write(`No such measurement: ${unknown.join(', ')}. There are: ${Object.keys(benches).join(', ')}.\n`);
  process.exit(1);
}
for (const [name, run] of Object.entries(benches)) if (names.length === 0 || names.includes(name)) await run();
