import type { configCalls as calls } from '@farlink/contract/config/config.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { rollbackTimer } from '@farlink/contract/protocol/rollback.ts';
import { isRisky } from '@farlink/gateway/kit/risk.ts';
import { requireSection } from '../../../domain/config/access.ts';
import { applySections } from '../../../domain/config/apply.ts';
import { checkChange, docsOf } from '../../../domain/config/documents.ts';
import { inheritedOf } from '../../../domain/config/inherited.ts';
import { localHash } from '../../../domain/config/local-hash.ts';
import { loggedApply } from '../../../domain/config/logged-apply.ts';
import { ownPathsAfter } from '../../../domain/config/own-values.ts';
import { lockTarget } from '../../../domain/config/target.ts';
import { fail } from '../../../kit/fail.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { record } from '../../../kit/log/record.ts';
import { refuseConfig } from './apply.ts';

const gateway: Text = ['网关', 'the gateway'];
const taken: Text = ['采用网关版本', 'Taken from the gateway'];
const overwritten: Text = ['覆盖网关版本', 'Written over the gateway'];

/** Resolves drift: accepts the document of the gateway, or overwrites it with the desired one. */
export const resolveDrift: Handler<typeof calls.resolveDrift> = async (ctx, input) => {
  const device = await lockTarget(ctx, input.device_id);
  const page = requireSection(ctx.me, input.page, 'write');
  const { secretKey } = ctx.deps.config;
  const docs = await docsOf(ctx.db, device.id, 'all', secretKey);
  const now = docs.get(page.key);
  if (!now?.local) throw fail('config_not_drifted');
  if (input.local_hash !== (await localHash(now.local, secretKey))) throw fail('config_conflict', { args: [page.title, gateway] });
  const isTaken = input.take === 'gateway';
  const inherited = await inheritedOf(ctx.db, device, page.key, secretKey);
  const [before, after] = isTaken ? [now.doc, now.local] : [now.local, now.doc];
  const changed = new Map([[page.key, after]]);
  // The gateway has already validated its document.
  if (!isTaken) refuseConfig(checkChange(docs, changed));
  await applySections(ctx.db, {
    device: device.id,
    docs: changed,
    own: new Map([[page.key, isTaken ? ownPathsAfter(page, now.own, now.doc, now.local, inherited.doc) : [...now.own]]]),
    source: isTaken ? 'adopt' : 'overwrite',
    keep: !isTaken && isRisky(page.key) ? rollbackTimer.default : 0,
    by: ctx.me,
    now: ctx.now(),
    secretKey,
  });
  const line = await loggedApply(device, isTaken ? taken : overwritten, new Map([[page.key, { before, after }]]));
  record(ctx, line.content, line);
};
