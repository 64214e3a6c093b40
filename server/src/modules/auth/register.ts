import { authCalls as calls } from '@farlink/contract/auth/auth.ts';
import { requiredText } from '@farlink/contract/kit/check.ts';
import { insertSubscribers } from '../../domain/subscriber/insert-subscribers.ts';
import type { PublicCtx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import { writeLog } from '../../kit/record.ts';
import type { Handler } from '../../kit/serve.ts';
import { redeemSmsCode } from '../../kit/sms.ts';

interface Registration {
  readonly open: boolean;
  readonly real_name: boolean;
}

/** The portal's gateway tells whose subscriber this becomes; without one it is the platform's. */
const hostOf = async (ctx: PublicCtx, sn: string | null | undefined) => {
  if (!sn) {
    const platform = await ctx.db.selectFrom('agent').select('id as agent_id').where('agent_level', '=', 0).executeTakeFirstOrThrow();
    return { ...platform, device_id: null };
  }
  const device = await ctx.db.selectFrom('device').select(['agent_id', 'id as device_id']).where('sn', '=', sn).executeTakeFirst();
  if (!device) throw failAt('sn', ['设备不存在', 'Unknown device']);
  return device;
};

const settingOf = async (ctx: PublicCtx, agentId: number): Promise<Registration> => {
  const rows = await ctx.db
    .selectFrom('setting')
    .innerJoin('agent', 'agent.id', 'setting.agent_id')
    .select('setting.value')
    .where('setting.name', '=', 'registration')
    .where((eb) => eb.or([eb('agent.id', '=', agentId), eb('agent.agent_level', '=', 0)]))
    .orderBy('agent.agent_level', 'desc')
    .limit(1)
    .execute();
  const value = rows[0]?.value;
  const read = (key: string) => typeof value === 'object' && value !== null && !Array.isArray(value) && value[key] === true;
  return { open: read('open'), real_name: read('real_name') };
};

export const register: Handler<typeof calls.register> = async (ctx, input) => {
  const host = await hostOf(ctx, input.sn);
  const { open, real_name } = await settingOf(ctx, host.agent_id);
  if (!open) throw fail('registration_closed');
  if (real_name && !input.id_number) throw failAt('id_number', requiredText(calls.register.input.id_number));
  await redeemSmsCode(ctx.deps.db, 'register', input.phone, input.smscode, ctx.now());
  await ctx.deps.db.transaction().execute(async (db) => {
    const { account, password, name, phone, id_number = null } = input;
    const config = await db
      .selectFrom('open_config')
      .select(['allow_logins', 'valid_days'])
      .where('agent_id', '=', host.agent_id)
      .where('account_type', '=', 'personal')
      .executeTakeFirstOrThrow();
    await insertSubscribers(db, ctx.deps.config.secretKey, [
      {
        ...host,
        account,
        password,
        name,
        phone,
        id_number,
        account_type: 'personal',
        account_source: 'personal',
        allow_logins: config.allow_logins,
        expire_at: ctx.now() + config.valid_days * 86_400,
        create_at: ctx.now(),
      },
    ]);
    const who = { agent_id: host.agent_id, uid: null, username: account, name, acted_by: null };
    await writeLog(db, who, ctx, {
      module: 'user',
      action: 'create',
      content: [`用户 ${account} 自助注册`, `Subscriber ${account} registered`],
      after: { account, name, phone },
    });
  });
};
