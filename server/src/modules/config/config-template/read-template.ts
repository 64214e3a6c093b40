import { templateCalls as calls, type TemplatePages } from '@farlink/contract/config/config-template.ts';
import { say } from '@farlink/contract/kit/text.ts';
import { gatewayMenu, gatewayPages } from '@farlink/gateway/menu.ts';
import { type SqlBool, sql } from 'kysely';
import { mayChangePage, maySeePage } from '../../../domain/config/access.ts';
import { titleOf } from '../../../domain/config/page-title.ts';
import { maskTemplatePart } from '../../../domain/config/template-part.ts';
import { fail } from '../../../kit/fail.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { pageOf } from '../../../kit/list/page.ts';
import { templatePartsOf, templateQuery } from './template-query.ts';

/** The filter matches the key and the titles of a page. */
const sectionsNamed = (text: string): string[] =>
  [...gatewayPages.values()].flatMap(({ key, title }) =>
    [key, ...title].some((name) => name.toLowerCase().includes(text.toLowerCase())) ? [key] : [],
  );

export const listTemplates: Handler<typeof calls.list> = async (ctx, input) => {
  const { pages, ...filters } = input.filters;
  const query = templateQuery(ctx);
  const filtered = pages === undefined ? query : query.where(sql<SqlBool>`t.pages && ${sectionsNamed(String(pages))}::text[]`);
  const found = await pageOf(ctx.db, calls.list, { ...input, filters }, filtered);
  return { ...found, list: found.list.map((row) => ({ ...row, pages: row.pages.map((section) => say(titleOf(section), ctx.lang)) })) };
};

export const readTemplate: Handler<typeof calls.read> = async (ctx, { id }) => {
  const row = await templateQuery(ctx).select('t.variables').where('t.id', '=', id).executeTakeFirst();
  if (!row) throw fail('not_found');
  const parts = await templatePartsOf(ctx, id);
  const sections = [...parts].flatMap(([section, part]) => {
    const page = gatewayPages.get(section);
    return page && maySeePage(ctx.me, section) ? [[section, maskTemplatePart(page, part)] as const] : [];
  });
  return {
    ...row,
    vno_id: row.level === 'vno' ? row.vno_id : null,
    sections: Object.fromEntries(sections),
    writable: ctx.me.rights.device_ids === null && [...parts.keys()].every((section) => mayChangePage(ctx.me, section)),
  };
};

export const templatePages: Handler<typeof calls.pages> = async ({ me }) => {
  const groups = gatewayMenu.map(({ key, title, pages }) => ({
    key,
    zh: title[0],
    en: title[1],
    pages: pages.flatMap(({ key: page, title: [zh, en], kind }): TemplatePages['groups'][number]['pages'] =>
      (kind === 'form' || kind === 'list') && maySeePage(me, page) ? [{ key: page, zh, en, kind, writable: mayChangePage(me, page) }] : [],
    ),
  }));
  return { groups: groups.filter(({ pages }) => pages.length > 0) };
};
