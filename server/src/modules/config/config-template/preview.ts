import type { templateCalls as calls, TemplatePreview } from '@farlink/contract/config/config-template.ts';
import { say } from '@farlink/contract/kit/text.ts';
import type { ConfigProblem } from '@farlink/gateway/kit/problem.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { maySeePage } from '../../../domain/config/access.ts';
import { shownDifferences } from '../../../domain/config/differences.ts';
import { checkChange, docsOf, inForce } from '../../../domain/config/documents.ts';
import { inheritanceOf } from '../../../domain/config/inherited.ts';
import { effective } from '../../../domain/config/layers.ts';
import { findTarget } from '../../../domain/config/target.ts';
import { fail } from '../../../kit/fail.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { templateQuery } from './template-query.ts';

/** Changes at one device if the template is enabled and applied now, including values inherited from other templates. */
export const previewTemplate: Handler<typeof calls.preview> = async (ctx, { id, device_id }) => {
  const template = await templateQuery(ctx).select('t.past_pages').where('t.id', '=', id).executeTakeFirst();
  if (!template) throw fail('not_found');
  const device = await findTarget(ctx, device_id);
  const { secretKey } = ctx.deps.config;
  const sections = template.past_pages.filter((section) => maySeePage(ctx.me, section));
  const docs = await docsOf(ctx.db, device.id, 'all', secretKey);
  const { layersOf } = await inheritanceOf(ctx.db, [device.id], sections, secretKey, id);
  const changed = new Map<string, JsonObject>();
  const problems: ConfigProblem[] = [];
  const pages = sections.flatMap((section): TemplatePreview['pages'] => {
    const page = gatewayPages.get(section);
    const now = docs.get(section);
    if (!page || !now) return [];
    const made = effective(page, layersOf(device.id, page), now);
    problems.push(...made.problems.map((problem) => ({ ...problem, section })));
    changed.set(section, made.doc);
    const differences = shownDifferences(page, inForce(now), made.doc);
    return [{ page: section, zh: page.title[0], en: page.title[1], differences, origins: made.origins }];
  });
  const faults = problems.length > 0 ? problems : checkChange(docs, changed);
  return {
    device: { id: device.id, name: device.name, sn: device.sn },
    pages,
    problems: faults.map(({ section, path, text }) => ({ page: section, path, text: say(text, ctx.lang) })),
  };
};
