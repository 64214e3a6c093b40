import type { Grant } from '@farlink/contract/kit/field.ts';
import { gatewayPermission } from '@farlink/gateway/kit/page.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import type { Api } from './api.ts';

/** Operable grants for every gateway page. */
export const gates = Object.fromEntries([...gatewayPages.values()].map((page): [string, Grant] => [gatewayPermission(page), '11']));

/** Adds these grants to all roles. */
export const openGates = ({ db }: Pick<Api, 'db'>) =>
  db
    .updateTable('role')
    .set({ gateway_permissions: JSON.stringify(gates) })
    .execute();
