import { errors as refusals } from '@farlink/contract/errors.ts';
import { feedbackLevel, feedbackType } from '@farlink/contract/feedback/choices.ts';
import { say } from '@farlink/contract/kit/text.ts';
import { zonedTime } from '@farlink/contract/kit/zone.ts';
import { limits } from '@farlink/contract/limits.ts';
import type { PortalData } from '@farlink/portal/view.ts';
import type { FastifyReply } from 'fastify';
import { feedbackOf } from '../domain/feedback/feedback-of.ts';
import { submitFeedback } from '../domain/feedback/submit-feedback.ts';
import { fail, failAt, Refusal } from '../kit/fail.ts';
import { isRightCaptcha } from './attempts.ts';
import { fieldOf, readFiles } from './form.ts';
import { type SubscriberRow, subscriberOf } from './subscriber.ts';
import { texts } from './texts.ts';
import { messageData, newCaptcha, sendPage, type Visit } from './visit.ts';

const repliesOf = async ({ deps: { db } }: Visit, { id }: SubscriberRow) =>
  (await feedbackOf(db, id)).map(({ content, create_at, remark, handle_at }) => ({
    content,
    at: zonedTime(create_at),
    ...(remark !== null && { answer: remark, ...(handle_at !== null && { answered: zonedTime(handle_at) }) }),
  }));

/** The form and the own feedback. A visitor without a login answers a captcha. */
const sendFeedback = async (visit: Visit, subscriber: SubscriberRow | undefined, more: Partial<PortalData> = {}, status = 200) => {
  const own = subscriber ? { account: subscriber.account, answers: await repliesOf(visit, subscriber) } : newCaptcha(visit);
  return sendPage(visit, 'feedback', { ...own, ...more }, status);
};

export const showFeedback = async (visit: Visit): Promise<FastifyReply> => sendFeedback(visit, await subscriberOf(visit));

const submit = async (visit: Visit, subscriber: SubscriberRow | undefined, form: URLSearchParams, attachments: readonly Uint8Array[]) => {
  if (!subscriber && !(await isRightCaptcha(visit, form))) throw failAt('captcha', refusals.wrong_captcha.text);
  const type = feedbackType.find(({ id }) => id === form.get('type'))?.id;
  const level = feedbackLevel.find(({ id }) => id === form.get('level'))?.id;
  if (!type || !level) throw fail('bad_input');
  const { session, agent, deps, request } = visit;
  await submitFeedback(deps, {
    agent_id: subscriber?.agent_id ?? agent.id,
    device_id: session?.device_id ?? subscriber?.device_id ?? null,
    subscriber_id: subscriber?.id ?? null,
    // Visitors of one address are limited together.
    account: subscriber?.account ?? `guest ${session?.mac ?? request.ip}`,
    mac: session?.mac ?? null,
    phone: fieldOf(form, 'phone', 32).trim() || subscriber?.phone || null,
    type,
    level,
    content: form.get('content') ?? '',
    attachments,
  });
};

export const sendReport = async (visit: Visit): Promise<FastifyReply> => {
  const subscriber = await subscriberOf(visit);
  if (!visit.request.isMultipart()) throw fail('bad_input');
  const { form, files } = await readFiles(visit.request, 'file', limits.feedbackImages, limits.imageBytes);
  try {
    await submit(visit, subscriber, form, files);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const fields = Object.entries(error.details.fields ?? {});
    // The field of the form is `file`.
    const errors = Object.fromEntries(fields.map(([name, text]) => [name === 'attachments' ? 'file' : name, say(text, visit.lang)]));
    const value = { content: fieldOf(form, 'content', 2000), phone: fieldOf(form, 'phone', 32) };
    const chosen = { type: { [form.get('type') ?? '']: true }, level: { [form.get('level') ?? '']: true } };
    const message = fields.length > 0 ? {} : messageData(error.text, visit.lang, true);
    return sendFeedback(visit, subscriber, { error: errors, value, chosen, ...message }, refusals[error.reason].status);
  }
  return sendFeedback(visit, subscriber, messageData(texts.feedbackSent, visit.lang));
};
