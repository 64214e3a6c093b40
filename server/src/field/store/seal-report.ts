import { hasSecrets } from '@farlink/gateway/kit/document.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import type { SectionReport } from '@farlink/gateway/protocol/message.ts';
import { sealDoc } from '../../config-doc/sealed.ts';
import type { Tx } from './tx.ts';

const withSecrets = new Set([...gatewayPages.values()].filter((page) => hasSecrets(page.fields)).map((page) => page.key));

/** Local changes at a gateway may contain secrets, so they are sealed before storage. */
export const sealReport = (tx: Tx, section: string, body: SectionReport): SectionReport => {
  const page = body.loc && withSecrets.has(section) ? gatewayPages.get(section) : undefined;
  return page && body.loc ? { ...body, doc: sealDoc(page, body.doc, tx.secretKey) } : body;
};
