import type { vnoCalls as calls } from '@farlink/contract/vno/vno.ts';
import { fail } from '../../kit/fail.ts';
import { record } from '../../kit/record.ts';
import { inScope } from '../../kit/scope.ts';
import { seal } from '../../kit/secret.ts';
import type { Handler } from '../../kit/serve.ts';

/** Writes down which password the gateways of a VNO shall take; each takes it when it is next online. */
export const setDevicePassword: Handler<typeof calls.devicePwd> = async (ctx, { vno_id, password }) => {
  const vno = await ctx.db
    .updateTable('agent')
    .set({ device_password: seal(ctx.deps.config.secretKey, password), device_password_at: ctx.now() })
    .where('id', '=', vno_id)
    .where(inScope(ctx.me, 'agent.id'))
    .returning('name')
    .executeTakeFirst();
  if (!vno) throw fail('not_found');
  record(ctx, [`设置VNO ${vno.name} 的设备登录密码`, `Set the device login password of VNO ${vno.name}`], {
    before: { password: 'old' },
    after: { password: 'new' },
  });
};
