import { calls } from '../kit/endpoint.ts';
import { choice, text } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';
import {
  auditExport,
  auditFields,
  deviceColumns,
  exact,
  exportRows,
  firstFilters,
  revealRow,
  sealed,
  sessionsOfRow,
} from './audit-fields.ts';
import { forumAction } from './choices.ts';

export const forumRows = resource({
  fields: {
    ...auditFields,
    forum_name: text(['论坛名称', 'Forum'], { sort: 'newest', width: 140, ...exact }),
    forum_action: choice(['行为', 'Action'], forumAction, { width: 90 }),
    author: text(['发帖账号', 'Author'], { mask: true, width: 130, ...exact }),
    title: text(['主题', 'Title'], { ...sealed, width: 180 }),
    content: text(['内容', 'Content'], { mask: true, tooltip: true, hiddenByDefault: true, width: 220 }),
    url: text(['地址', 'URL'], { tooltip: true, hiddenByDefault: true, width: 200 }),
  },
  title: ['account', 'forum_name'],
  columns: ['account', 'ip', 'mac', 'forum_name', 'forum_action', 'author', 'title', 'content', 'url', ...deviceColumns],
  filters: [...firstFilters, 'forum_name', 'forum_action', 'title', 'author', 'vno_id'],
  orderby: 'create_at desc',
});

export const auditForumCalls = calls('audit', ['network_forum'], {
  list: { kind: 'list', path: 'audit/bbs', summary: ['查询网络论坛', 'List forum records'], resource: forumRows },
  export: { ...auditExport, path: 'audit/export/bbs', summary: ['导出网络论坛', 'Export forum records'], resource: forumRows },
});

export const networkForum = page({
  ...headOf('networkForum'),
  resource: forumRows,
  list: auditForumCalls.list,
  forms: {},
  actions: { export: { ...exportRows, call: auditForumCalls.export }, reveal: revealRow, sessions: sessionsOfRow },
});
