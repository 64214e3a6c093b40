import { randomInt } from 'node:crypto';
import type { vnoCalls as calls } from '@farlink/contract/vno/vno.ts';
import { fail, failAt } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { record } from '../../kit/log/record.ts';
import { wholeVnoBelow } from './update-vno.ts';

const letters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const newCode = () =>
  Array.from({ length: 4 }, () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('')).join('-');

/** Only the platform issues authorization codes; the master job number of the VNO activates a code. */
export const issueLicense: Handler<typeof calls.authorize> = async (ctx, { id, total, expire_at, remark }) => {
  if (ctx.me.agent_level !== 0) throw fail('denied');
  const vno = await wholeVnoBelow(ctx, id);
  if (expire_at <= ctx.now()) throw failAt('expire_at', ['到期时间必须晚于当前时间', 'The expiry must be in the future']);
  const code = newCode();
  await ctx.db
    .insertInto('license')
    .values({ agent_id: vno.id, code, total, expire_at, remark: remark ?? null, create_at: ctx.now() })
    .execute();
  record(ctx, [`向VNO ${vno.name} 发放授权码，数量 ${total}`, `Issued an authorization code for ${total} to VNO ${vno.name}`], {
    after: { vno_id: id, total, expire_at },
  });
  return { auth_code: code };
};
