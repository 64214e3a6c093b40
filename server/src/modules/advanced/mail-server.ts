import { isIP } from 'node:net';
import { type mailServerCalls as calls, mailForm } from '@farlink/contract/advanced/mail-server.ts';
import { check } from '@farlink/contract/kit/check.ts';
import { defaultPasswordRule } from '@farlink/contract/kit/password-rule.ts';
import { say } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { nearestServer, type ServerRow } from '../../domain/mail/find-server.ts';
import { faultText, MailFault } from '../../domain/mail/mail-fault.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import { isPrivate } from '../../kit/http/private-address.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { ownScope, requireOwnVno } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';
import { open, seal } from '../../kit/session/secret.ts';

export const ownServer = (ctx: Ctx): Promise<ServerRow | undefined> =>
  ctx.db.selectFrom('mail_server').selectAll().where(ownScope(ctx.me, 'mail_server.agent_id')).executeTakeFirst();

/** The reply shows only whether a password is set. */
export const readMailServer: Handler<typeof calls.read> = async (ctx) => {
  const row = await ownServer(ctx);
  const fault = row?.fault ? say(faultText(row.fault, row.fault_answer), ctx.lang) : null;
  return {
    id: ctx.me.agent_id,
    version: row?.version ?? 0,
    enable: row?.enable ?? false,
    name: row?.name ?? null,
    user: row?.username ?? null,
    host: row?.host ?? null,
    port: row?.port ?? null,
    secure: row?.secure ?? null,
    sign: row?.sign ?? null,
    has_password: row !== undefined,
    sent_at: row?.sent_at ?? null,
    fault,
    fault_at: row?.fault_at ?? null,
  };
};

export const mailReady: Handler<typeof calls.ready> = async (ctx) => {
  const row = await nearestServer(ctx.db, ctx.me.agent_id);
  return { ready: row !== undefined, own: row?.agent_id === ctx.me.agent_id };
};

/** Checks that need the server: the stored values, and whether private mail hosts are allowed. */
export const refuseUnfit = (ctx: Ctx, input: Values & { readonly host: string }, row: ServerRow | undefined) => {
  const stored = row && { user: row.username, host: row.host, port: row.port, secure: row.secure };
  const { errors } = check(mailForm.fields, { ...input, stored }, { passwordRule: defaultPasswordRule });
  if (Object.keys(errors).length > 0) throw fail('bad_input', { fields: errors });
  if (!ctx.deps.config.mail.allowPrivate && isIP(input.host) > 0 && isPrivate(input.host))
    throw failAt('host', faultText(new MailFault('private', input.host).reason, input.host));
};

const shown = ({ enable, name, username: user, host, port, secure, sign }: Omit<ServerRow, 'password'>) => ({
  enable,
  name,
  user,
  host,
  port,
  secure,
  sign,
});

export const saveMailServer: Handler<typeof calls.save> = async (ctx, input) => {
  const { secretKey } = ctx.deps.config;
  requireOwnVno(ctx);
  const agent_id = ctx.me.agent_id;
  const stored = await ctx.db.selectFrom('mail_server').selectAll().where('agent_id', '=', agent_id).forUpdate().executeTakeFirst();
  if ((stored?.version ?? 0) !== input.version) throw fail('stale');
  refuseUnfit(ctx, input, stored);
  const isNewPassword = Boolean(input.password) && (!stored || open(secretKey, stored.password) !== input.password);
  const row = {
    enable: input.enable ?? stored?.enable ?? false,
    name: input.name,
    username: input.user,
    host: input.host,
    port: input.port,
    secure: input.secure ?? stored?.secure ?? 'ssl',
    sign: input.sign ?? null,
    password: isNewPassword || !stored ? seal(secretKey, input.password ?? '') : stored.password,
  };
  const before = stored && shown(stored);
  const after = shown({ ...emptyState, ...row, agent_id, update_at: 0, version: 0 });
  if (!isNewPassword && JSON.stringify(before) === JSON.stringify(after)) throw fail('unchanged');
  // The stored delivery state belongs to the old settings, so it is reset.
  const values = { ...row, ...emptyState, update_at: ctx.now(), version: input.version + 1 };
  const saved = await ctx.db
    .insertInto('mail_server')
    .values({ agent_id, ...values })
    .onConflict((oc) => oc.column('agent_id').doUpdateSet(values).where('mail_server.version', '=', input.version))
    .returning('agent_id')
    .executeTakeFirst();
  if (!saved) throw fail('stale');
  record(ctx, [`保存邮件服务器 ${row.host}`, `Saved the mail server ${row.host}`], {
    ...(before && { before }),
    after: { ...after, ...(isNewPassword && { password: 'new' }) },
  });
};

const emptyState = { sent_at: null, fault: null, fault_answer: null, fault_at: null };
