import { type ConfigPage, configCalls as calls } from '@farlink/contract/config/config.ts';
import type { Fields } from '@farlink/contract/kit/field.ts';
import { mayCall } from '@farlink/contract/rights.ts';
import { keyOf, rowsOf } from '@farlink/gateway/kit/document.ts';
import { type GatewayPage, isSection } from '@farlink/gateway/kit/page.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { maskDoc } from '../../../config-doc/sealed.ts';
import { grantOfPage, requirePage } from '../../../domain/config/access.ts';
import { docsOf, inForce, type SectionDocs } from '../../../domain/config/documents.ts';
import { type Draft, draftsOf } from '../../../domain/config/drafts.ts';
import { inheritedOf } from '../../../domain/config/inherited.ts';
import { localHash } from '../../../domain/config/local-hash.ts';
import { findTarget, type Target } from '../../../domain/config/target.ts';
import { originsOf } from '../../../domain/config/value-origins.ts';
import { waitOfBundle } from '../../../domain/config/wait-reason.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { operatorName, vnoOfAccount } from '../../../kit/list/operator-name.ts';
import { readRequest } from './read-request.ts';

const namedPages = (fields: Fields): string[] =>
  Object.values(fields).flatMap((field) => [...(field.of ?? []), ...(field.items ? namedPages(field.items) : [])]);

/** Rows that fields of a page may refer to, with the drafts of the operator applied. */
const refsOf = (pages: readonly string[], docs: SectionDocs, drafts: ReadonlyMap<string, Draft>): ConfigPage['refs'] =>
  Object.fromEntries(
    pages.map((key) => {
      const page = gatewayPages.get(key);
      const now = docs.get(key);
      const doc = drafts.get(key)?.doc ?? (now && inForce(now)) ?? {};
      const called = ({ alias, name }: JsonObject, known: string) => [alias, name].find((value) => typeof value === 'string') ?? known;
      return [key, page ? rowsOf(doc).map((row) => ({ key: keyOf(page, row), name: called(row, keyOf(page, row)) })) : []];
    }),
  );

const othersOf = async (ctx: Ctx, device: Target, section: string) => {
  const rows = await ctx.db
    .selectFrom('config_draft')
    .select(operatorName(ctx, 'operator', vnoOfAccount('config_draft.uid')).as('operator'))
    .where('device_id', '=', device.id)
    .where('section', '=', section)
    .where('uid', '<>', ctx.me.uid)
    .orderBy('update_at', 'desc')
    .execute();
  return rows.map(({ operator }) => operator);
};

/** State of a page that is not a section: only its references exist. */
const nothing = {
  doc: {},
  rev: 0,
  origins: {},
  inherited: {},
  state: 'none',
  waits: null,
  err: null,
  reading: null,
  update_at: null,
  at: null,
  local: null,
  local_hash: null,
  draft: null,
} as const;

/** Before the gateway has reported the page, no value is shown. */
const unreadView = async (ctx: Ctx, device: Target, page: GatewayPage, ask: boolean) =>
  ({ ...nothing, state: 'unread', ...(await readRequest(ctx, device, page.key, ask)) }) as const;

const sectionView = async (ctx: Ctx, device: Target, page: GatewayPage, docs: SectionDocs, draft: Draft | undefined) => {
  const now = docs.get(page.key);
  if (!now) throw new Error(`no section ${page.key}`);
  const isOpen = now.state === 'pending' || now.state === 'applying';
  const { secretKey } = ctx.deps.config;
  const inherited = await inheritedOf(ctx.db, device, page.key, secretKey);
  return {
    doc: maskDoc(page, now.doc),
    rev: now.rev,
    origins: originsOf(page, now.doc, inherited, now.own),
    inherited: maskDoc(page, inherited.doc),
    state: now.state,
    reading: null,
    waits: isOpen ? waitOfBundle(device, Buffer.byteLength(JSON.stringify(now.doc)), 1, ctx.now()) : null,
    err: now.err,
    update_at: now.update_at,
    at: now.at,
    local: now.local ? maskDoc(page, now.local) : null,
    local_hash: now.local ? await localHash(now.local, secretKey) : null,
    draft: draft ? { doc: maskDoc(page, draft.doc), base_rev: draft.base_rev, update_at: draft.update_at } : null,
  };
};

export const readPage: Handler<typeof calls.page> = async (ctx, input) => {
  const device = await findTarget(ctx, input.device_id);
  const page = requirePage(ctx.me, input.page, 'read');
  const { secretKey } = ctx.deps.config;
  const named = [...new Set(namedPages(page.fields))];
  const docs = await docsOf(ctx.db, device.id, isSection(page) ? [...new Set([page.key, ...named])] : named, secretKey);
  const drafts = await draftsOf(ctx.db, device.id, ctx.me.uid, secretKey);
  const isUnread = docs.get(page.key)?.state === 'unread';
  const view = () =>
    isUnread ? unreadView(ctx, device, page, input.ask === true) : sectionView(ctx, device, page, docs, drafts.get(page.key));
  return {
    page: page.key,
    writable: grantOfPage(ctx.me, page) === '11' && mayCall(calls.draft, ctx.me),
    ...(isSection(page) ? await view() : nothing),
    others: isSection(page) ? await othersOf(ctx, device, page.key) : [],
    refs: refsOf(named, docs, drafts),
  };
};
