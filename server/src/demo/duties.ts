import { endpoints } from '@farlink/contract/endpoints.ts';
import { isWrite, operateKey } from '@farlink/contract/kit/endpoint.ts';
import type { Grant } from '@farlink/contract/kit/field.ts';
import { pages } from '@farlink/contract/pages.ts';
import { gatewayPermission } from '@farlink/gateway/kit/page.ts';
import { gatewayMenu } from '@farlink/gateway/menu.ts';

/** Grants for each page that `accepts` selects: operable, or show only. */
export const grantsFor = (accepts: (permission: string) => boolean, grant: Grant): Record<string, Grant> => {
  const granted = pages.filter((p) => accepts(p.permission)).map((p) => p.permission);
  const calls = endpoints.filter((e) => Array.isArray(e.access) && e.access.some((key) => granted.includes(key)));
  return Object.fromEntries([
    ...granted.map((key) => [key, grant] as const),
    ...calls.map((e) => [operateKey(e), isWrite(e) ? grant : '10'] as const),
  ]);
};
export const gatewayGrants = (grant: Grant) =>
  Object.fromEntries(gatewayMenu.flatMap((g) => g.pages).map((p) => [gatewayPermission(p), grant]));

/** Pages of audit data; revealing and erasing is a right of its own. */
const auditPages: ReadonlySet<string> = new Set(
  pages.filter(({ route, key }) => route.startsWith('/audit/') && key !== 'auditReveal').map(({ permission }) => permission),
);

const isAuditPage = (permission: string) => auditPages.has(permission);

/** Roles of the staff of each VNO. */
export const duties: readonly { name: string; kind: 'sub' | 'job'; permissions: Record<string, Grant>; write: boolean }[] = [
  { name: '运营主管', kind: 'sub', permissions: grantsFor(() => true, '11'), write: true },
  {
    name: '客服',
    kind: 'sub',
    permissions: {
      ...grantsFor((p) => /^(home|vno|user|package)/.test(p) || p === 'customer_manage', '10'),
      ...grantsFor((p) => p === 'feedback_list', '11'),
    },
    write: false,
  },
  { name: '审计', kind: 'sub', permissions: grantsFor((p) => p.endsWith('_log') || isAuditPage(p), '10'), write: false },
  {
    name: '营业厅主工号',
    kind: 'job',
    permissions: grantsFor(
      (p) =>
        ['job_number', 'authorization_manage', 'system_log', 'collection_day', 'cash_handover', 'settlement'].includes(p) ||
        /^(home|user|bill|card)_/.test(p),
      '11',
    ),
    write: true,
  },
  {
    name: '营业员',
    kind: 'job',
    permissions: {
      ...grantsFor((p) => /^user_/.test(p) || p === 'bill_counter', '11'),
      ...grantsFor((p) => p === 'collection_day' || p === 'cash_handover', '10'),
    },
    write: true,
  },
];
