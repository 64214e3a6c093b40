import { fill, type Text } from '@farlink/contract/kit/text.ts';
import type { ConfigProblem, DocOf, Problem } from '../../../kit/problem.ts';
import { gatewayPages } from '../../../menu.ts';
import type { JsonObject } from '../../../protocol/shape.ts';
import { type GuideResult, GuideWriter } from './guide-writer.ts';
import { writePlatformBinding } from './platform-binding.ts';
import { writeQuickSetup } from './quick-setup.ts';
import { writeSatelliteCommission } from './satellite-commission.ts';
import { writeWifiPortal } from './wifi-portal.ts';

const guides: Readonly<Record<string, (values: JsonObject, to: GuideWriter) => void>> = {
  guide_quick_setup: writeQuickSetup,
  guide_satellite_commission: writeSatelliteCommission,
  guide_wifi_portal: writeWifiPortal,
  guide_platform_binding: writePlatformBinding,
};

/** Sections that a wizard changes; undefined: no such wizard. */
export const writeGuide = (page: string, values: JsonObject, docOf: DocOf): GuideResult | undefined => {
  const write = Object.hasOwn(guides, page) ? guides[page] : undefined;
  if (!write) return undefined;
  const writer = new GuideWriter(values, docOf);
  write(values, writer);
  return writer.result;
};

const elsewhere: Text = ['{0}：{1}', '{0}: {1}'];

/** Moves a problem of a written section to the wizard field it comes from; otherwise to the first field of that section. */
export const problemsOfGuide = (problems: readonly ConfigProblem[], { paths }: GuideResult, first: string): Problem[] =>
  problems.map(({ section, path, text }) => {
    const own = paths.get(`${section}.${path}`);
    if (own !== undefined) return { path: own, text };
    return { path: paths.get(section) ?? first, text: fill(elsewhere, gatewayPages.get(section)?.title ?? [section, section], text) };
  });
