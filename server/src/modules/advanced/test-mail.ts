import { randomUUID } from 'node:crypto';
import { mailServerCalls } from '@farlink/contract/advanced/mail-server.ts';
import { fill, say, type Text } from '@farlink/contract/kit/text.ts';
import { zonedTime } from '@farlink/contract/kit/zone.ts';
import { mailBrandOf } from '../../domain/brand/mail-brand.ts';
import { faultText, toFault } from '../../domain/mail/mail-fault.ts';
import { escapeHtml, openSmtp, type SmtpServer } from '../../domain/mail/smtp.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import { allowPerMinute } from '../../kit/http/rate-limit.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { writeLog } from '../../kit/log/record.ts';
import { open } from '../../kit/session/secret.ts';
import { ownServer, refuseUnfit } from './mail-server.ts';

const call = mailServerCalls.test;
const perMinute = 10;

const texts = {
  subject: ['【{0}】测试邮件', '[{0}] Test mail'],
  body: [
    '这是一封测试邮件，收到即表示邮件服务器可以发送设备通知。发送时间：{0}（UTC+8）',
    'This is a test mail. If you receive it, the mail server can send device notifications. Sent at {0} (UTC+8)',
  ],
  done: ['发送测试邮件至 {0}，服务器 {1}', 'Sent a test mail to {0} through {1}'],
} as const satisfies Record<string, Text>;

const send = async (ctx: Ctx, server: SmtpServer, to: string): Promise<string> => {
  const text = say(fill(texts.body, zonedTime(ctx.now())), ctx.lang);
  const pool = await openSmtp(ctx.deps.config, server);
  try {
    const messageId = `<${randomUUID()}@${server.username.split('@').at(-1)}>`;
    const brand = await mailBrandOf(ctx.deps, ctx.me.agent_id);
    const subject = say(fill(texts.subject, brand?.name ?? ''), ctx.lang);
    return await pool.send({ to, subject, text, html: `<p>${escapeHtml(text)}</p>`, messageId, brand });
  } finally {
    pool.close();
  }
};

/** Uses the values of the form, saved or not, and returns the reply of the mail server. */
export const testMail: Handler<typeof call> = async (ctx, input) => {
  await allowPerMinute(ctx.deps, `mail ${ctx.me.agent_id}`, perMinute, ctx.now());
  const stored = await ownServer(ctx);
  refuseUnfit(ctx, input, stored);
  const { name, host, port, user: username, to } = input;
  const password = input.password || (stored ? open(ctx.deps.config.secretKey, stored.password) : '');
  const entry = { module: call.module, action: 'command', content: fill(texts.done, to, `${host}:${port}`) } as const;
  try {
    const answer = await send(ctx, { name, host, port, username, password, secure: input.secure ?? 'ssl', sign: input.sign ?? null }, to);
    await writeLog(ctx.deps.db, ctx.me, ctx, entry);
    return { answer };
  } catch (error) {
    const fault = toFault(error);
    const why = faultText(fault.reason, fault.reply);
    await writeLog(ctx.deps.db, ctx.me, ctx, { ...entry, message: why });
    throw fail('mail_failed', { args: [why] });
  }
};
