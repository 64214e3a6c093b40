import type { configCalls as calls, Review } from '@farlink/contract/config/config.ts';
import { say } from '@farlink/contract/kit/text.ts';
import { isRisky } from '@farlink/gateway/kit/risk.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { filesOf } from '../../../config-doc/files.ts';
import { maySeePage } from '../../../domain/config/access.ts';
import { shownDifferences } from '../../../domain/config/differences.ts';
import { checkChange, docsOf, inForce } from '../../../domain/config/documents.ts';
import { draftsOf } from '../../../domain/config/drafts.ts';
import { findTarget } from '../../../domain/config/target.ts';
import { waitOfBundle } from '../../../domain/config/wait-reason.ts';
import type { Handler } from '../../../kit/http/serve.ts';

/** Differences between the drafts and the documents in force at the gateway. */
export const review: Handler<typeof calls.review> = async (ctx, { device_id }): Promise<Review> => {
  const device = await findTarget(ctx, device_id);
  const { secretKey } = ctx.deps.config;
  const all = await draftsOf(ctx.db, device.id, ctx.me.uid, secretKey);
  // A draft remains after the operator loses access to its page; it is then not shown.
  const drafts = new Map([...all].filter(([section]) => maySeePage(ctx.me, section)));
  if (drafts.size === 0) return { pages: [], problems: [], bytes: 0, waits: null, risky: false };
  const docs = await docsOf(ctx.db, device.id, 'all', secretKey);
  let bytes = 0;
  const pages = [...drafts].flatMap(([section, { doc, base_rev }]): Review['pages'] => {
    const page = gatewayPages.get(section);
    const now = docs.get(section);
    if (!page || !now) return [];
    bytes += Buffer.byteLength(JSON.stringify(doc)) + filesOf(page, doc).reduce((sum, { file }) => sum + file.size, 0);
    return [
      {
        page: section,
        zh: page.title[0],
        en: page.title[1],
        base_rev,
        rev: now.rev,
        differences: shownDifferences(page, inForce(now), doc),
        stale: base_rev < now.rev,
        drifted: now.state === 'drifted',
      },
    ];
  });
  const changed = new Map([...drafts].map(([section, { doc }]) => [section, doc]));
  return {
    pages,
    problems: checkChange(docs, changed).map(({ section, path, text }) => ({ page: section, path, text: say(text, ctx.lang) })),
    bytes,
    waits: waitOfBundle(device, bytes, pages.length, ctx.now()),
    risky: [...drafts.keys()].some(isRisky),
  };
};
