import { keyOf, rowsOf } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import type { Json, JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { GatewaySnapshot } from './gateway-snapshot.ts';
import type { Row } from './row.ts';
import { optStates } from './status/overview.ts';

/** Rows from the console are 'platform'; others were created at the gateway. */
const origin = (snapshot: GatewaySnapshot, section: string, here: string) =>
  snapshot.gateway.sections.get(section)?.local === false ? 'platform' : here;

const addedValues: Readonly<Record<string, (snapshot: GatewaySnapshot, row: JsonObject) => Readonly<Record<string, Json>>>> = {
  ac_ap_list: (snapshot, { mac }) => ({
    ap_state: snapshot.gateway.view().aps.some((ap) => ap.mac === mac && ap.s === 1) ? 'up' : 'offline',
  }),
  satellite_route_opt: (snapshot) => ({
    source: origin(snapshot, 'satellite_route_opt', 'upload'),
    opt_status: optStates[snapshot.gateway.opt],
  }),
  fence_area: (snapshot) => ({ source: origin(snapshot, 'fence_area', 'local') }),
  reporter_dpi: (snapshot, { mode }) => ({ source: origin(snapshot, 'reporter_dpi', 'local'), status: mode === 'continuous' ? 1 : 9 }),
  defense_blacklist: (snapshot) => ({ source: origin(snapshot, 'defense_blacklist', 'manual') }),
  behavior_url_library: (snapshot) => ({ source: origin(snapshot, 'behavior_url_library', 'custom') }),
  hidden_license: () => ({ auth_status: 'formal' }),
};

/** Values that the gateway adds to its configuration: one row per key of a list, one row for a form. */
export const reportedRows = (snapshot: GatewaySnapshot, page: GatewayPage): Row[] => {
  const valuesOf = Object.hasOwn(addedValues, page.key) ? addedValues[page.key] : undefined;
  if (!valuesOf) return [];
  if (page.kind !== 'list') return [{ ...valuesOf(snapshot, snapshot.doc(page.key)) }];
  return rowsOf(snapshot.doc(page.key)).map((row) => ({ [page.keyField ?? 'name']: keyOf(page, row), ...valuesOf(snapshot, row) }));
};
