import { configCalls as calls } from '@farlink/contract/config/config.ts';
import { gatewayAccountCalls } from '@farlink/contract/config/gateway-config.ts';
import { type Binding, bind } from '../../../kit/http/serve.ts';
import { apply } from './apply.ts';
import { dropDraft, putDraft } from './draft.ts';
import { readGrants, saveGrants } from './grants.ts';
import { listApplies, listRevisions, readRevision, rollback } from './history.ts';
import { readPage } from './page.ts';
import { review } from './review.ts';
import { settle } from './settle.ts';
import { readTree } from './tree.ts';
import { uploadFile } from './upload.ts';
import { withdraw } from './withdraw.ts';

export const configBindings: readonly Binding[] = [
  bind(calls.tree, readTree),
  bind(calls.page, readPage),
  bind(calls.draft, putDraft),
  bind(calls.discard, dropDraft),
  bind(calls.file, uploadFile),
  bind(calls.review, review),
  bind(calls.apply, apply),
  bind(calls.withdraw, withdraw),
  bind(calls.applies, listApplies),
  bind(calls.revisions, listRevisions),
  bind(calls.revision, readRevision),
  bind(calls.rollback, rollback),
  bind(calls.settle, settle),
  bind(gatewayAccountCalls.grants, readGrants),
  bind(gatewayAccountCalls.save, saveGrants),
];
