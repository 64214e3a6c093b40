import type { Grant } from '@farlink/contract/kit/field.ts';
import { gatewayPermission } from '@farlink/gateway/kit/page.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import type { Api } from './api.ts';

/** Every page of a gateway, to be operated. */
export const gates = Object.fromEntries([...gatewayPages.values()].map((page): [string, Grant] => [gatewayPermission(page), '11']));

/** Gives them to every role that there is. */
export const openGates = ({ db }: Pick<Api, 'db'>) =>
  db
    .updateTable('role')
    .set({ gateway_permissions: JSON.stringify(gates) })
    .execute();
