import type { Text } from '@farlink/contract/kit/text.ts';
import type { userCalls as calls } from '@farlink/contract/user/user.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { record } from '../../kit/log/record.ts';
import { open } from '../../kit/session/secret.ts';
import { findUser, subjectOf, type UserRow } from './find-user.ts';

type Field = 'phone' | 'id_number' | 'password';

const texts: Record<Field, Text> = {
  phone: ['手机号', 'phone'],
  id_number: ['证件号码', 'ID number'],
  password: ['上网密码', 'internet password'],
};

const plainOf = ({ deps }: Ctx, user: UserRow, field: Field): string => {
  if (field === 'phone') return user.phone;
  const sealed = user[field];
  return sealed === null ? '' : open(deps.config.secretKey, sealed);
};

/** The access is logged before the value is returned. */
export const revealField: Handler<typeof calls.reveal> = async (ctx, { id, field }) => {
  const user = await findUser(ctx, id);
  const [zh, en] = texts[field];
  record(ctx, [`查看用户 ${user.account} 的${zh}`, `Viewed the ${en} of user ${user.account}`], { subject: subjectOf(id) });
  return { value: plainOf(ctx, user, field) };
};
