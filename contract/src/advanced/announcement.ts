import { calls, shape } from '../kit/endpoint.ts';
import { bool, choice, int, link, longText, options, pick, tags, text, time, variant } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { removeAction, toggleActions } from '../kit/page-actions.ts';
import { type AnyRow, resource } from '../kit/resource.ts';
import { inFuture } from '../kit/rule.ts';
import type { Text } from '../kit/text.ts';
import { limits } from '../limits.ts';
import { headOf } from '../menu.ts';
import { idOutput } from '../permission/customer.ts';
import { rules } from '../rules.ts';

/** Subscribers are our addition: the portals of the branch show the announcement. */
export const announcementTarget = [
  { id: 'admin', label: ['总平台', 'Admin platform'], color: 'blue' },
  { id: 'vno', label: ['VNO平台', 'VNO platform'], color: 'purple' },
  { id: 'subscriber', label: ['上网用户', 'Subscribers'], color: 'cyan' },
] as const;

const platform = [
  { id: 'admin', label: ['总平台', 'Admin platform'], color: 'blue' },
  { id: 'vno', label: ['VNO平台', 'VNO platform'], color: 'purple' },
] as const;

const announcementStatus = [
  { id: 1, label: ['启用', 'Enabled'], color: 'green' },
  { id: 0, label: ['停用', 'Disabled'], color: 'default' },
] as const;

/** A draft is not shown; a sent announcement is shown to its target until it expires or is disabled. */
const announcementState = [
  { id: 'draft', label: ['草稿', 'Draft'], color: 'default' },
  { id: 'sent', label: ['已发布', 'Sent'], color: 'green' },
  { id: 'disabled', label: ['已停用', 'Disabled'], color: 'orange' },
  { id: 'expired', label: ['已过期', 'Expired'], color: 'default' },
] as const;

const later = inFuture('in_future', ['过期时间必须晚于当前时间', 'The expiry must be in the future']);

const fields = {
  title: link(['公告标题', 'Title'], {
    required: true,
    rules: [rules.no_quotes, rules.no_edge_space, rules.length(1, limits.announcementTitleMax)],
    max: limits.announcementTitleMax,
    sort: true,
    tooltip: true,
    width: 220,
  }),
  content: longText(['公告内容', 'Content'], { required: true, rules: [rules.free_512], max: 512, tooltip: true, width: 260 }),
  target: choice(['发布对象', 'Target'], announcementTarget, { required: true, default: 'vno', width: 130 }),
  source: choice(['发布来源', 'Source'], platform, { width: 130 }),
  vno_ids: options(['指定VNO', 'VNOs'], 'agent/option', {
    when: (values) => values.target === 'vno' || values.target === 'subscriber',
    lookupParams: { subject: 'notice' },
    lookupBy: ['target'],
    tips: ['留空表示全部', 'Empty means all'],
  }),
  state: choice(['发布状态', 'State'], announcementState, {
    width: 100,
    tips: ['草稿尚未发布，任何人都看不到', 'A draft has not been sent; only its publisher sees it'],
  }),
  status: choice(['状态', 'Status'], announcementStatus, { default: 1, width: 100, hiddenByDefault: true }),
  send_at: time(['发布时间', 'Sent at'], { sort: true }),
  publisher: text(['发布人', 'Publisher']),
  expire_at: time(['过期时间', 'Expires at'], { required: true, rules: [later], sort: true }),
  create_at: time(['创建时间', 'Created at'], { sort: true }),
};

export const announcementResource = resource({
  fields,
  title: ['title'],
  columns: ['title', 'content', 'target', 'source', 'state', 'status', 'send_at', 'publisher', 'expire_at', 'create_at'],
  filters: ['title', 'target', 'state', 'source', 'create_at', 'expire_at', 'status'],
  orderby: 'create_at desc',
});

const input = {
  ...pick(fields, 'title', 'content', 'target', 'vno_ids', 'expire_at', 'status'),
  // A link is a cell; in a form the title is a text.
  title: text(fields.title.label, { required: true, rules: fields.title.rules, max: limits.announcementTitleMax }),
};

const detailOutput = {
  id: int(['编号', 'ID'], { required: true, hidden: true }),
  version: int(['版本', 'Version'], { required: true, hidden: true }),
  ...pick(fields, ...announcementResource.columns),
  title: variant(input.title, {}),
  vno_names: tags(['指定VNO', 'VNOs'], { noTruncate: true }),
  vno_ids: variant(fields.vno_ids, { hidden: true }),
  read_count: int(['已读人数', 'Readers'], { tips: ['已阅读当前内容的账号数', 'Accounts that have read the current text'] }),
};

export const announcementCalls = calls('advanced', ['notice_manage'], {
  list: { kind: 'list', path: 'notice', summary: ['查询公告', 'List notices'], resource: announcementResource },
  create: { kind: 'create', path: 'notice', summary: ['新增公告', 'Create a notice'], input, output: idOutput },
  // The dashboard reads received announcements by it.
  read: {
    kind: 'detail',
    path: 'notice/{id}',
    access: ['notice_manage', 'home_dashboard'],
    summary: ['查看公告', 'Read one notice'],
    output: detailOutput,
  },
  update: { kind: 'update', path: 'notice/{id}', summary: ['修改公告', 'Change a notice'], input, partial: true, versioned: true },
  send: { kind: 'command', path: 'notice/send/{id}', summary: ['发布公告', 'Publish a notice to its target'], shape: shape<null>() },
  remove: { kind: 'delete', path: 'notice/{id}', summary: ['删除公告', 'Delete a notice'] },
});

const isEnabled = (row: AnyRow) => row.status === 1;
const canSend = (row: AnyRow) => isEnabled(row) && Number(row.expire_at) > Date.now() / 1000;
const sendRule: Text = ['公告须启用且未过期', 'The notice must be enabled and not expired'];

export const noticeManage = page({
  ...headOf('noticeManage'),
  resource: announcementResource,
  list: announcementCalls.list,
  forms: {
    create: {
      ...form(['新增公告', 'New notice'], input, 640),
      follow: {
        action: 'send',
        label: ['保存并发布', 'Save and send'],
        saveOnly: ['保存草稿', 'Save draft'],
        saved: ['草稿已保存，发布后才会显示', 'Draft saved. It is shown after you send it.'],
      },
    },
    edit: form(['编辑公告', 'Edit notice'], input, 640),
  },
  actions: {
    create: { on: 'toolbar', label: ['新增公告', 'New notice'], call: announcementCalls.create, form: 'create' },
    detail: { on: 'row', label: ['查看', 'View'], call: announcementCalls.read },
    edit: { on: 'row', label: ['编辑', 'Edit'], call: announcementCalls.update, form: 'edit' },
    send: {
      on: 'row',
      label: ['发布', 'Send'],
      call: announcementCalls.send,
      confirm: ['确定发布该公告吗？', 'Send this notice?'],
      when: canSend,
      why: sendRule,
      done: ['公告已发布', 'Notice sent'],
    },
    ...toggleActions(announcementCalls.update, ['公告', 'notice'], '停用'),
    delete: removeAction(announcementCalls.remove, ['公告', 'notice']),
  },
});

/** Announcements that reach an operator. */
const receivedAnnouncement = resource({
  fields: { ...fields, is_read: bool(['已读', 'Read']) },
  title: ['title'],
  columns: ['title', 'content', 'source', 'publisher', 'send_at', 'expire_at', 'is_read'],
  filters: [],
  orderby: 'send_at desc',
});

export interface AnnouncementCount {
  readonly unread: number;
  /** Seconds until the next received announcement expires; null: none will. */
  readonly expires_in: number | null;
}

/** For the announcement bell of the console: every login has access, with any role. */
export const receivedAnnouncementCalls = calls('advanced', 'session', {
  received: { kind: 'list', path: 'notice/received', summary: ['收到的公告', 'Received notices'], resource: receivedAnnouncement },
  unread: { kind: 'detail', path: 'notice/unread', summary: ['未读公告数', 'Number of unread notices'], shape: shape<AnnouncementCount>() },
  markRead: {
    kind: 'auth',
    path: 'notice/read',
    summary: ['标记公告为已读', 'Mark received notices as read'],
    input: { ids: options(['公告', 'Notices'], '', { tips: ['留空表示全部', 'Empty means all'] }) },
    shape: shape<AnnouncementCount>(),
  },
});
