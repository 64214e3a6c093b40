import type { vnoCalls as calls } from '@farlink/contract/vno/vno.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { inScope } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';
import { seal } from '../../kit/session/secret.ts';
import { loginProof, setDesiredLogin } from '../../orders/device-login.ts';

/** Stores the password for the gateways of a VNO. Each gateway gets a proof of it, now or when it is next online. */
export const setDevicePassword: Handler<typeof calls.devicePwd> = async (ctx, { vno_id, password }) => {
  const proof = await loginProof(password);
  const vno = await ctx.db
    .updateTable('agent')
    .set({
      device_password: seal(ctx.deps.config.secretKey, password),
      device_password_at: ctx.now(),
      device_login: JSON.stringify(proof),
    })
    .where('id', '=', vno_id ?? ctx.me.agent_id)
    .where(inScope(ctx.me, 'agent.id'))
    .returning(['id', 'name'])
    .executeTakeFirst();
  if (!vno) throw fail('not_found');
  await setDesiredLogin(ctx.db, vno.id, proof, ctx.now());
  record(ctx, [`设置VNO ${vno.name} 的设备登录密码`, `Set the device login password of VNO ${vno.name}`], {
    before: { password: 'old' },
    after: { password: 'new' },
  });
};
