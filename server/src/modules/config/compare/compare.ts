import type { Comparison, compareCalls as calls } from '@farlink/contract/config/compare.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { maySeePage } from '../../../domain/config/access.ts';
import { shownDifferences } from '../../../domain/config/differences.ts';
import { docsOf } from '../../../domain/config/documents.ts';
import { findTarget } from '../../../domain/config/target.ts';
import type { Handler } from '../../../kit/http/serve.ts';

export const compare: Handler<typeof calls.compare> = async (ctx, { device_id, other_id }) => {
  const left = await findTarget(ctx, device_id);
  const right = await findTarget(ctx, other_id);
  const { secretKey } = ctx.deps.config;
  const [here, there] = await Promise.all([docsOf(ctx.db, left.id, 'all', secretKey), docsOf(ctx.db, right.id, 'all', secretKey)]);
  const isUnread = (section: string) => [here, there].some((docs) => docs.get(section)?.state === 'unread');
  const unread = [...here.keys()].filter((section) => maySeePage(ctx.me, section) && isUnread(section));
  const all = [...here].flatMap(([section, { doc }]): Comparison['pages'] => {
    const page = gatewayPages.get(section);
    const other = there.get(section);
    if (!page || !other || !maySeePage(ctx.me, section) || isUnread(section)) return [];
    return [{ page: section, zh: page.title[0], en: page.title[1], differences: shownDifferences(page, doc, other.doc) }];
  });
  const pages = all.filter(({ differences }) => differences.length > 0);
  const named = ({ id, name, sn }: typeof left) => ({ id, name, sn });
  return { left: named(left), right: named(right), pages, same: all.length - pages.length, unread: unread.length };
};
