import type { ConfigPage } from '@farlink/contract/config/config.ts';
import { readRefusal } from '@farlink/contract/config/refusal.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import type { PathErrors } from '../../../kit/document/validate-document.ts';
import { gatewayText } from '../gateway-text.ts';

/** The error of the gateway for this page, at its field. */
export const refusedAt = (page: GatewayPage, { err }: Pick<ConfigPage, 'err'>): PathErrors => {
  const refusal = err === null ? undefined : readRefusal(err);
  return refusal?.kind === 'field' && refusal.page === page.key ? { [refusal.path]: gatewayText(page, refusal.path, refusal.text) } : {};
};
