import type { Grant } from '@farlink/contract/kit/field.ts';
import type { PermissionNode } from '@farlink/contract/permission/role.ts';
import { gatewayPermission } from '@farlink/gateway/kit/page.ts';
import { gatewayMenu } from '@farlink/gateway/menu.ts';

/** Gateway menu as far as the session may grant it, with the current grants. */
export const gatewayTree = (
  sessionGrants: Readonly<Record<string, string>> | null,
  granted: Readonly<Record<string, Grant>>,
): PermissionNode[] =>
  gatewayMenu
    .map((group) => ({
      key: group.key,
      zh: group.title[0],
      en: group.title[1],
      method_path: null,
      value: '00' as const,
      most: '11' as const,
      children: group.pages
        .map((page) => ({ key: gatewayPermission(page), zh: page.title[0], en: page.title[1] }))
        .filter(({ key }) => sessionGrants === null || (sessionGrants[key] ?? '00') !== '00')
        .map((page) => ({
          ...page,
          method_path: null,
          value: granted[page.key] ?? ('00' as const),
          most: sessionGrants === null || sessionGrants[page.key] === '11' ? ('11' as const) : ('10' as const),
          children: [],
        })),
    }))
    .filter((group) => group.children.length > 0);
