import { endpoints } from '@farlink/contract/endpoints.ts';
import { isReadKey, operateKey } from '@farlink/contract/kit/endpoint.ts';
import type { Grant } from '@farlink/contract/kit/field.ts';
import type { Head, Me } from '@farlink/contract/kit/page.ts';
import { type Lang, say } from '@farlink/contract/kit/text.ts';
import { groups } from '@farlink/contract/menu.ts';
import type { PermissionNode } from '@farlink/contract/permission/role.ts';
import { cappedGrant, grantOf, mayOpen } from '@farlink/contract/rights.ts';

/**
 * Tree of the role editor: group, page, calls. A session sees only the rights it may grant. The platform sees every page, because it also
 * creates the roles of VNOs.
 */
export const permissionTree = (me: Me, granted: Readonly<Record<string, Grant>>): PermissionNode[] =>
  groups
    .map((group) => ({
      key: group.key,
      zh: group.title[0],
      en: group.title[1],
      method_path: null,
      value: '00' as const,
      most: '11' as const,
      children: group.pages.filter((page) => me.permissions === null || mayOpen(page, me)).map((page) => pageNode(page, me, granted)),
    }))
    .filter((group) => group.children.length > 0);

const pageNode = ({ permission, title }: Head, me: Me, granted: Readonly<Record<string, Grant>>): PermissionNode => {
  const children = callsOf(permission, me, granted);
  const writes = children.filter(({ key }) => !isReadKey(key));
  return {
    key: permission,
    zh: title[0],
    en: title[1],
    method_path: null,
    value: granted[permission] ?? '00',
    most: writes.length === 0 || writes.some(({ most }) => most === '11') ? '11' : '10',
    children,
  };
};

/** Grants are stored by method and path, so calls with the same key are one node with the title of the first. */
const callsOf = (permission: string, me: Me, granted: Readonly<Record<string, Grant>>): PermissionNode[] => {
  const calls = endpoints.filter((e) => Array.isArray(e.access) && e.access.includes(permission) && grantOf(e, me) !== '00');
  return [...Map.groupBy(calls, operateKey)].flatMap(([key, [first]]) =>
    first
      ? [
          {
            key,
            zh: first.summary[0],
            en: first.summary[1],
            method_path: key,
            value: cappedGrant(key, granted[key] ?? '00'),
            most: cappedGrant(key, grantOf(first, me)),
            children: [],
          },
        ]
      : [],
  );
};

const titles = new Map(groups.flatMap((g) => g.pages).map((p) => [p.permission, p.title]));

/** Page names of a role, in the language of the reader. */
export const pageNames = (permissions: Readonly<Record<string, Grant>>, lang: Lang): string[] =>
  Object.entries(permissions).flatMap(([key, grant]) => {
    const title = titles.get(key);
    return title && grant !== '00' ? [say(title, lang)] : [];
  });
