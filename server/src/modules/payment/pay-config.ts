import { payConfigCalls as calls, payForms } from '@farlink/contract/advanced/pay-config.ts';
import { payChannel } from '@farlink/contract/finance/choices.ts';
import { check } from '@farlink/contract/kit/check.ts';
import type { Fields } from '@farlink/contract/kit/field.ts';
import { defaultPasswordRule } from '@farlink/contract/kit/password-rule.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { type ChannelRow, certNames, openSecrets, readSecretFile, type Secrets, sealSecrets } from '../../domain/payment/secrets.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import { isUpload } from '../../kit/files/upload.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';
import { ownScope } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';
import { refuseFaults } from './channel-fault.ts';

const mask = '******';

/** One row per channel of the VNO of the session. For secrets, the reply shows only whether they are set. */
export const listChannels: Handler<typeof calls.list> = async (ctx, input) => {
  const own = ctx.db.selectFrom('payment_channel').where(ownScope(ctx.me, 'payment_channel.agent_id'));
  const [page, sealed] = await Promise.all([
    pageOf(
      ctx.db,
      calls.list,
      input,
      own.select(['id', 'channel', 'merchant_id', 'app_id', 'cert_names', 'status', 'update_at', 'version']),
    ),
    own.select(['id', 'secrets']).execute(),
  ]);
  const list = page.list.map((row) => {
    const secrets = openSecrets(ctx.deps.config.secretKey, sealed.find(({ id }) => id === row.id)?.secrets ?? null);
    const masked = { api_key: secrets.api_key ? mask : null, app_secret: secrets.app_secret ? mask : null };
    return { ...row, ...masked, stored: Object.keys(secrets) };
  });
  return { ...page, list };
};

const ownFields = ['merchant_id', 'app_id', 'status'] as const;

/** Keys, secrets and certificates in the request. A file field counts only if a file was sent. */
const sentSecrets = async (ctx: Ctx, fields: Fields, values: Values): Promise<Secrets> => {
  const sent: Record<string, { text: string; name?: string }> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = values[name];
    if (field.kind === 'file') {
      if (ctx.request.isMultipart() && isUpload(value)) sent[name] = await readSecretFile(value);
    } else if (typeof value === 'string' && value !== '' && !ownFields.some((own) => own === name)) sent[name] = { text: value };
  }
  return sent;
};

const payable: Text = [
  '有订单正在等待支付，请在其支付或过期后再修改',
  'An order is waiting for payment. Change this after it is paid or expired.',
];

/** With the keys of another merchant, notices of waiting orders could not be verified. */
const refuseWhileWaiting = async (ctx: Ctx, before: ChannelRow, after: Pick<ChannelRow, 'merchant_id' | 'app_id'>) => {
  const field = (['merchant_id', 'app_id'] as const).find((name) => before[name] !== null && before[name] !== after[name]);
  if (!field) return;
  const order = await ctx.db
    .selectFrom('pay_order')
    .select('id')
    .where('channel_id', '=', before.id)
    .where('state', '=', 'waiting')
    .where('pay_url', 'is not', null)
    .where('expire_at', '>', ctx.now())
    .limit(1)
    .executeTakeFirst();
  if (order) throw failAt(field, payable);
};

export const saveChannel: Handler<typeof calls.save> = async (ctx, input) => {
  const { secretKey } = ctx.deps.config;
  const before = await ctx.db
    .selectFrom('payment_channel')
    .selectAll()
    .where('id', '=', input.id)
    .where(ownScope(ctx.me, 'payment_channel.agent_id'))
    .forUpdate()
    .executeTakeFirst();
  if (!before) throw fail('not_found');
  if (before.version !== input.version) throw fail('stale');
  const stored = openSecrets(secretKey, before.secrets);
  const { fields } = payForms[before.channel];
  const { errors } = check(fields, { ...input, stored: Object.keys(stored) }, { passwordRule: defaultPasswordRule });
  if (Object.keys(errors).length > 0) throw fail('bad_input', { fields: errors });

  const sent = await sentSecrets(ctx, fields, input);
  const replaced = Object.keys(sent).filter((name) => sent[name]?.text !== stored[name]?.text);
  const { merchant_id, app_id } = input;
  const row = { merchant_id, app_id, status: input.status ?? before.status };
  if (replaced.length === 0 && ownFields.every((name) => row[name] === before[name])) throw fail('unchanged');
  await refuseWhileWaiting(ctx, before, row);
  const secrets = { ...stored, ...sent };
  // A new merchant id means the real provider, so the stand-in address is removed.
  const gateway = merchant_id === before.merchant_id ? before.gateway : null;
  refuseFaults({ ...before, ...row, gateway }, secrets, new Set(replaced));

  await ctx.db
    .updateTable('payment_channel')
    .set({
      ...row,
      gateway,
      secrets: sealSecrets(secretKey, secrets),
      cert_names: certNames(secrets),
      update_at: ctx.now(),
      version: before.version + 1,
    })
    .where('id', '=', before.id)
    .execute();
  const [zh, en] = payChannel.find(({ id }) => id === before.channel)?.label ?? ['', ''];
  record(ctx, [`修改支付配置 ${zh}`, `Changed the payment configuration of ${en}`], {
    before: { merchant_id: before.merchant_id, app_id: before.app_id, status: before.status },
    after: { ...row, ...(replaced.length > 0 && { replaced }) },
  });
};
