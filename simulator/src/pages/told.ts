import { keyOf, rowsOf } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import type { Json, JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { Row } from './row.ts';
import type { Scene } from './scene.ts';
import { optWords } from './status/overview.ts';

/** Rows that the console sent are its own; the others somebody made at the gateway. */
const origin = (scene: Scene, section: string, here: string) => (scene.box.sections.get(section)?.local === false ? 'platform' : here);

const tellers: Readonly<Record<string, (scene: Scene, row: JsonObject) => Readonly<Record<string, Json>>>> = {
  ac_ap_list: (scene, { mac }) => ({
    ap_state: scene.box.view().aps.some((ap) => ap.mac === mac && ap.s === 1) ? 'up' : 'offline',
  }),
  satellite_route_opt: (scene) => ({ source: origin(scene, 'satellite_route_opt', 'upload'), opt_status: optWords[scene.box.opt] }),
  fence_area: (scene) => ({ source: origin(scene, 'fence_area', 'local') }),
  reporter_dpi: (scene, { mode }) => ({ source: origin(scene, 'reporter_dpi', 'local'), status: mode === 'continuous' ? 1 : 9 }),
  defense_blacklist: (scene) => ({ source: origin(scene, 'defense_blacklist', 'manual') }),
  behavior_url_library: (scene) => ({ source: origin(scene, 'behavior_url_library', 'custom') }),
  hidden_license: () => ({ auth_status: 'formal' }),
};

/** What the gateway adds to its own configuration: of each row, under its key; of a form in one line. */
export const toldBy = (scene: Scene, page: GatewayPage): Row[] => {
  const tell = Object.hasOwn(tellers, page.key) ? tellers[page.key] : undefined;
  if (!tell) return [];
  if (page.kind !== 'list') return [{ ...tell(scene, scene.doc(page.key)) }];
  return rowsOf(scene.doc(page.key)).map((row) => ({ [page.keyField ?? 'name']: keyOf(page, row), ...tell(scene, row) }));
};
