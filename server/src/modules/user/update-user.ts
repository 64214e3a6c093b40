import type { InputOf } from '@farlink/contract/kit/endpoint.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { rules } from '@farlink/contract/rules.ts';
import { accountStatus } from '@farlink/contract/user/choices.ts';
import { type IdType, isDocumentNumber, isIdCardNumber, isOtherDocument } from '@farlink/contract/user/id-document.ts';
import { maskIdNumber, maskPhone } from '@farlink/contract/user/mask.ts';
import type { userCalls as calls } from '@farlink/contract/user/user.ts';
import { refreshPackages } from '../../domain/metering/store/refresh-packages.ts';
import { sealedIdNumber } from '../../domain/subscriber/insert-subscribers.ts';
import { logPolicy } from '../../domain/subscriber/log-policy.ts';
import { storePhoto } from '../../domain/subscriber/store-photo.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { record } from '../../kit/log/record.ts';
import { open } from '../../kit/session/secret.ts';
import { patchUser } from './actions.ts';
import { bindingOf, refuseOtherVno } from './binding.ts';
import { lockUser, subjectOf, type UserRow } from './find-user.ts';
import { giveJobPackage } from './job-package.ts';
import { dropPhoto } from './photo.ts';
import { refuseNameless } from './real-name.ts';
import { policyOf } from './templates.ts';

type Input = InputOf<typeof calls.update>;

const past: Text = ['到期时间须晚于当前时间', 'The expiry date must be in the future'];

/** An unchanged masked value means the stored value; any other masked value is refused. */
const unmasked = (field: 'phone' | 'id_number', entered: string, stored: string, mask: (value: string) => string, text: Text): string => {
  if (!entered.includes('****')) return entered;
  if (stored === '' || entered !== mask(stored)) throw failAt(field, text);
  return stored;
};

const ruleText = (rule: { readonly text: Text | ((...args: never[]) => Text) }): Text =>
  typeof rule.text === 'function' ? ['格式不正确', 'Not a valid value'] : rule.text;

/** The number may be masked in the form, so the form cannot check it against a new type. */
const refuseUnfit = (idNumber: string, type: IdType, now: number) => {
  const isFit = isOtherDocument(type) ? isDocumentNumber(idNumber) : isIdCardNumber(idNumber, now);
  if (idNumber && !isFit) throw failAt('id_number', ruleText(isOtherDocument(type) ? rules.id_document : rules.id_card));
};

const sameBinding = (input: Input, user: UserRow) =>
  ({
    device: input.device_id === user.device_id,
    group: input.device_group_id === user.device_group_id,
    vno: user.whole_vno,
  })[input.bind_type];

const bindingFor = async (ctx: Ctx, input: Input, user: UserRow) => {
  if (sameBinding(input, user)) return { device_id: user.device_id, device_group_id: user.device_group_id, whole_vno: user.whole_vno };
  const binding = await bindingOf(ctx, input);
  refuseOtherVno(binding, user.agent_id);
  return { device_id: binding.device_id, device_group_id: binding.device_group_id, whole_vno: binding.whole_vno };
};

/** The expiry may move to a future time; an expired account becomes active again. */
const expiryOf = (ctx: Ctx, input: Input, user: UserRow) => {
  if (input.expire_at === user.expire_at) return { expire_at: user.expire_at };
  if (input.expire_at <= ctx.now()) throw failAt('expire_at', past);
  return { expire_at: input.expire_at, ...(accountStatus.can('renew', user.status) && { status: accountStatus.to('renew') }) };
};

const rowOf = async (ctx: Ctx, input: Input, user: UserRow) => ({
  name: input.name,
  phone: unmasked('phone', input.phone, user.phone, maskPhone, ruleText(rules.phone)),
  id_type: input.id_type ?? user.id_type,
  email: input.email ?? null,
  cert_start_at: input.cert_start_at ?? null,
  cert_end_at: input.cert_end_at ?? null,
  issuing_authority: input.issuing_authority ?? null,
  allow_logins: input.allow_logins,
  ...(await bindingFor(ctx, input, user)),
  bind_ip: input.bind_ip ?? null,
  bind_mac: input.bind_mac?.toLowerCase() ?? null,
  vlan_id: input.vlan_id ?? null,
  ...expiryOf(ctx, input, user),
  ...(await policyOf(ctx, input, user)),
  remark: input.remark ?? null,
});

/** Values for the log, with the phone masked. */
const logged = ({ phone, ...rest }: Record<string, unknown>) => ({
  ...rest,
  ...(typeof phone === 'string' && { phone: maskPhone(phone) }),
});

const photoOf = async (ctx: Ctx, input: Input, user: UserRow) => {
  const stored = await storePhoto(ctx, input.photo);
  if (stored) return stored;
  return input.photo_remove && user.photo_key ? { photo_key: null, photo_name: null } : undefined;
};

export const updateUser: Handler<typeof calls.update> = async (ctx, input) => {
  const { secretKey } = ctx.deps.config;
  const user = await lockUser(ctx, input.id);
  if (user.version !== input.version) throw fail('stale');
  const row = await rowOf(ctx, input, user);
  const storedIdNumber = user.id_number === null ? '' : open(secretKey, user.id_number);
  const newId = input.id_number ? unmasked('id_number', input.id_number, storedIdNumber, maskIdNumber, ruleText(rules.id_card)) : '';
  // An account that never had an ID number can be edited without one.
  if (storedIdNumber) await refuseNameless(ctx.db, user.agent_id, user.account_type, newId);

  const photo = await photoOf(ctx, input, user);
  const stored: Record<string, unknown> = user;
  const changed = Object.fromEntries(Object.entries(row).filter(([name, value]) => stored[name] !== value));
  const idChanged = newId.toUpperCase() !== storedIdNumber.toUpperCase();
  if (idChanged || row.id_type !== user.id_type) refuseUnfit(newId, row.id_type, ctx.now());
  const given = await giveJobPackage(ctx, user, input.package_id, { agent_id: user.agent_id, ...row });
  if (Object.keys(changed).length === 0 && !idChanged && !photo && !given) throw fail('unchanged');
  await patchUser(ctx, user, { ...row, ...photo, ...(idChanged && sealedIdNumber(secretKey, newId)) });
  if (photo) await dropPhoto(ctx, user.photo_key);
  const touched = (...names: string[]) => names.some((name) => name in changed);
  const policyChanged = touched('custom_policy', 'application_id', 'policy_id');
  if (policyChanged || touched('status')) await refreshPackages(ctx.db, [user.id], ctx.now());
  if (policyChanged || touched('device_id', 'device_group_id', 'whole_vno'))
    await logPolicy(ctx.db, { ...user, ...row }, ctx.me.name, ctx.now());
  const before = Object.fromEntries(Object.keys(changed).map((name) => [name, stored[name]]));
  const ofId = (id: string) => ({ ...(idChanged && { id_number: id && maskIdNumber(id) }), ...(photo && { photo: null }) });
  record(ctx, [`修改用户 ${user.account}`, `Changed user ${user.account}`], {
    before: { ...logged(before), ...ofId(storedIdNumber), ...(photo && { photo: user.photo_name }), ...given?.before },
    after: { ...logged(changed), ...ofId(newId), ...(photo && { photo: photo.photo_name }), ...given?.after },
    subject: subjectOf(user.id),
  });
};
