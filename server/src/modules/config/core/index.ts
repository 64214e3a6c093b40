import { configCalls as calls } from '@farlink/contract/config/config.ts';
import { gatewayAccountCalls } from '@farlink/contract/config/gateway-config.ts';
import { type Binding, bindAll } from '../../../kit/http/serve.ts';
import { apply } from './apply.ts';
import { dropDraft, putDraft } from './draft.ts';
import { readGrants, saveGrants } from './grants.ts';
import { listApplies, listRevisions, readRevision, rollback } from './history.ts';
import { readPage } from './page.ts';
import { resolveDrift } from './resolve-drift.ts';
import { review } from './review.ts';
import { readTree } from './tree.ts';
import { uploadFile } from './upload.ts';
import { withdraw } from './withdraw.ts';

export const configBindings: readonly Binding[] = [
  ...bindAll(calls, {
    tree: readTree,
    page: readPage,
    draft: putDraft,
    discard: dropDraft,
    file: uploadFile,
    review,
    apply,
    withdraw,
    applies: listApplies,
    revisions: listRevisions,
    revision: readRevision,
    rollback,
    resolveDrift,
  }),
  ...bindAll(gatewayAccountCalls, { grants: readGrants, save: saveGrants }),
];
