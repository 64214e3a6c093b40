import { calls } from '../kit/endpoint.ts';
import { bytes, choice, int, tags, text } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';
import { auditExport, auditFields, deviceColumns, exportRows, firstFilters, revealRow, sealed, sessionsOfRow } from './audit-fields.ts';
import { mailDirection } from './choices.ts';

export const mailRows = resource({
  fields: {
    ...auditFields,
    direction: choice(['方向', 'Direction'], mailDirection, { width: 90 }),
    sender: text(['发件人', 'Sender'], { ...sealed, width: 170 }),
    receiver: tags(['收件人', 'Recipients'], { tooltip: true, width: 190, match: sealed.match, tips: sealed.tips }),
    cc: tags(['抄送', 'Cc'], { tooltip: true, hiddenByDefault: true, width: 190 }),
    subject: text(['主题', 'Subject'], { ...sealed, width: 190 }),
    attach_count: int(['附件数', 'Attachments'], { hiddenByDefault: true, width: 100 }),
    size: bytes(['邮件大小', 'Size'], { sort: true, hiddenByDefault: true, width: 110 }),
  },
  title: ['account', 'subject'],
  columns: ['account', 'ip', 'mac', 'direction', 'sender', 'receiver', 'cc', 'subject', 'attach_count', 'size', ...deviceColumns],
  filters: [...firstFilters, 'sender', 'receiver', 'subject', 'direction', 'vno_id'],
  orderby: 'create_at desc',
});

export const auditMailCalls = calls('audit', ['electronic_mail'], {
  list: { kind: 'list', path: 'audit/email', summary: ['查询电子邮件', 'List email records'], resource: mailRows },
  export: { ...auditExport, path: 'audit/export/email', summary: ['导出电子邮件', 'Export email records'], resource: mailRows },
});

export const electronicMail = page({
  ...headOf('electronicMail'),
  resource: mailRows,
  list: auditMailCalls.list,
  forms: {},
  actions: { export: { ...exportRows, call: auditMailCalls.export }, reveal: revealRow, sessions: sessionsOfRow },
});
