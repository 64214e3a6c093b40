import { authCalls } from '@farlink/contract/auth/auth.ts';
import { requiredText } from '@farlink/contract/kit/check.ts';
import type { InputOf } from '@farlink/contract/kit/endpoint.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { maskPhone } from '@farlink/contract/user/mask.ts';
import { accountFault, withPrefix } from '@farlink/contract/user/prefix.ts';
import type { SettingValues } from '@farlink/contract/user/setting-fields.ts';
import type { PublicCtx } from '../../kit/ctx.ts';
import type { Db } from '../../kit/deps.ts';
import { fail } from '../../kit/fail.ts';
import { isUpload } from '../../kit/files/upload.ts';
import { writeLog } from '../../kit/log/record.ts';
import { redeemSmsCode } from '../../kit/messages/sms.ts';
import { settingsOf } from '../settings.ts';
import { noPrefix, type Prefix, prefixesOf } from './account-prefix.ts';
import { insertSubscribers } from './insert-subscribers.ts';
import { storePhoto } from './store-photo.ts';

export type Registration = Omit<InputOf<typeof authCalls.register>, 'sn' | 'repassword'>;

/** VNO of the new subscriber, and the gateway at which the subscriber registers. */
export interface RegistrationSite {
  readonly agent_id: number;
  readonly device_id: number | null;
}

/** Device, group or whole VNO of a new account. Undefined: the address is not behind a gateway, and accounts are not valid everywhere. */
const placeForAccount = async (db: Db, { device_id }: RegistrationSite, { register_place }: SettingValues) => {
  if (register_place === 'vno') return { device_id: null, device_group_id: null, whole_vno: true };
  if (device_id === null) return undefined;
  const group =
    register_place === 'group'
      ? await db.selectFrom('device').select('device_group_id').where('id', '=', device_id).executeTakeFirst()
      : undefined;
  const device_group_id = group?.device_group_id ?? null;
  return { device_id: device_group_id === null ? device_id : null, device_group_id, whole_vno: false };
};

/** Whether a subscriber can register here: the VNO allows it, and the account gets a place. */
export const isRegistrationOpen = (
  { self_register, register_place }: SettingValues,
  { device_id }: Pick<RegistrationSite, 'device_id'>,
): boolean => self_register && (device_id !== null || register_place === 'vno');

/** Refuses input without the fields that the settings of the VNO require, and an account of a wrong length. */
const refuseUnfit = (input: Registration, { realname, upload_photo, sms_verify }: SettingValues, prefix: string) => {
  const form = authCalls.register.input;
  const wrongLength = accountFault(prefix, input.account);
  const fields: Record<string, Text> = wrongLength ? { account: wrongLength } : {};
  if (realname && !input.id_number) fields.id_number = requiredText(form.id_number);
  if (sms_verify && !input.smscode) fields.smscode = requiredText(form.smscode);
  if (upload_photo && !isUpload(input.photo)) fields.photo = requiredText(form.photo);
  if (Object.keys(fields).length > 0) throw fail('bad_input', { fields });
};

/** Opening configuration of the VNO for the account type in the settings; the default is personal. */
const configOf = async (db: Db, agentId: number, { default_config_id, allow_logins }: SettingValues) => {
  const chosen = await db.selectFrom('open_config').select('account_type').where('id', '=', default_config_id).executeTakeFirst();
  const config = await db
    .selectFrom('open_config')
    .select(['account_type', 'allow_logins', 'valid_days'])
    .where('agent_id', '=', agentId)
    .where('account_type', '=', chosen?.account_type ?? 'personal')
    .executeTakeFirstOrThrow();
  return chosen ? config : { ...config, allow_logins };
};

/** Fields that the registration of a VNO requires, and the prefix of its accounts. */
export const registrationTerms = async (
  ctx: Pick<PublicCtx, 'db' | 'deps'>,
  agentId: number,
): Promise<{ readonly settings: SettingValues; readonly prefix: Prefix }> => {
  const settings = await settingsOf(ctx.db, ctx.deps.config, agentId);
  const { account_type } = await configOf(ctx.db, agentId, settings);
  return { settings, prefix: (await prefixesOf(ctx.db, agentId)).get(account_type) ?? noPrefix };
};

type Caller = Pick<PublicCtx, 'db' | 'deps' | 'ip' | 'userAgent' | 'now'>;

/** Opens the account of a subscriber who registers, within the settings of the VNO. */
export const registerSubscriber = async (
  ctx: Caller,
  site: RegistrationSite,
  input: Registration,
): Promise<{ readonly id: number; readonly account: string }> => {
  const { settings, prefix: terms } = await registrationTerms(ctx, site.agent_id);
  if (!settings.self_register) throw fail('registration_closed');
  if (!isRegistrationOpen(settings, site)) throw fail('registration_no_place');
  refuseUnfit(input, settings, terms.prefix);
  if (settings.sms_verify) await redeemSmsCode(ctx.deps.db, 'register', input.phone, input.smscode ?? '', ctx.now());
  return ctx.deps.db.transaction().execute(async (db) => {
    const place = await placeForAccount(db, site, settings);
    if (!place) throw fail('registration_no_place');
    const { password, name, phone, id_number = null } = input;
    const { account_type, allow_logins, valid_days } = await configOf(db, site.agent_id, settings);
    const { prefix_id, prefix } = terms;
    const account = withPrefix(prefix, input.account);
    const id_type = input.id_type ?? 'id_card';
    const photo = await storePhoto({ ...ctx, db }, input.photo);
    const row = {
      agent_id: site.agent_id,
      ...place,
      ...photo,
      prefix_id,
      account,
      password,
      name,
      phone,
      id_type,
      id_number,
      account_type,
      allow_logins,
    };
    const expire_at = ctx.now() + valid_days * 86_400;
    const created = { ...row, account_source: 'personal', expire_at, create_at: ctx.now() } as const;
    const [id = 0] = await insertSubscribers(db, ctx.deps.config.secretKey, [created]);
    const actor = { agent_id: site.agent_id, uid: null, username: account, name, acted_by: null };
    await writeLog(db, actor, ctx, {
      module: 'user',
      action: 'create',
      content: [`用户 ${account} 自助注册`, `Subscriber ${account} registered`],
      after: { account, account_type, name, phone: maskPhone(phone) },
    });
    return { id, account };
  });
};
