import { authCalls } from '@farlink/contract/auth/auth.ts';
import { errors as refusals } from '@farlink/contract/errors.ts';
import { defaultPasswordRule } from '@farlink/contract/kit/password-rule.ts';
import { fill, say } from '@farlink/contract/kit/text.ts';
import { plainPhone } from '@farlink/contract/phone.ts';
import { rules, uploads } from '@farlink/contract/rules.ts';
import { idType } from '@farlink/contract/user/id-document.ts';
import type { PortalData } from '@farlink/portal/view.ts';
import type { FastifyReply } from 'fastify';
import { isRegistrationOpen, type Registration, registerSubscriber, registrationTerms } from '../domain/subscriber/register-subscriber.ts';
import { fail, failAt, Refusal } from '../kit/fail.ts';
import { type ReceivedForm, receiveForm } from '../kit/files/upload.ts';
import { allowPerMinute } from '../kit/http/rate-limit.ts';
import { readInput } from '../kit/http/read-input.ts';
import { isWellFormed } from '../kit/http/well-formed.ts';
import { issueSmsCode } from '../kit/messages/sms.ts';
import { toRefusal } from '../kit/to-refusal.ts';
import { isRightCaptcha } from './attempts.ts';
import { logIn, showInside } from './login.ts';
import { findByAccount } from './subscriber.ts';
import { texts } from './texts.ts';
import { clientOf, contextOf, messageData, newCaptcha, sendPage, type Visit } from './visit.ts';

/** Registrations and codes that one client can request in a minute. */
const perMinute = 6;

const siteOf = ({ agent, session }: Visit) => ({ agent_id: agent.id, device_id: session?.device_id ?? null });

/** Fields that the registration requires; refused if this visitor cannot register. */
const registrationData = async (visit: Visit): Promise<Pick<PortalData, 'ask'>> => {
  const { settings, prefix } = await registrationTerms(contextOf(visit), visit.agent.id);
  if (!settings.self_register) throw fail('registration_closed');
  if (!isRegistrationOpen(settings, siteOf(visit))) throw fail('registration_no_place');
  const { sms_verify, realname, upload_photo } = settings;
  return {
    ask: { sms: sms_verify, realname, photo: upload_photo, ...(prefix.prefix !== '' && { prefix: prefix.prefix }) },
  };
};

export const showRegister = async (visit: Visit): Promise<FastifyReply> => {
  const ask = await registrationData(visit);
  return sendPage(visit, 'register', { ...ask, ...newCaptcha(visit) });
};

const shown = ['account', 'name', 'phone', 'smscode', 'id_number'] as const;

/** Shows the form again, with the entered values except secrets, and a new captcha. */
const showAgain = async (visit: Visit, { texts: typed }: ReceivedForm, more: Partial<PortalData>, status: number) => {
  const value = Object.fromEntries(shown.map((name) => [name, (typed[name] ?? '').slice(0, 64)]));
  const chosen = typed.id_type ? { id_type: Object.fromEntries(idType.map(({ id }) => [id, id === typed.id_type])) } : {};
  return sendPage(visit, 'register', { ...(await registrationData(visit)), ...newCaptcha(visit), value, chosen, ...more }, status);
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The declaration of the call checks the form, as for any other client. */
const registrationOf = ({ texts: typed, files }: ReceivedForm, now: number): Registration => {
  const raw = { ...typed, sn: undefined, repassword: typed.password, ...files };
  const input = readInput(authCalls.register, {}, raw, { passwordRule: defaultPasswordRule, now });
  return {
    account: textOf(input.account),
    password: textOf(input.password),
    name: textOf(input.name),
    phone: textOf(input.phone),
    id_type: idType.find(({ id }) => id === input.id_type)?.id ?? null,
    id_number: textOf(input.id_number) || null,
    smscode: textOf(input.smscode) || null,
    photo: input.photo,
  };
};

const received = async (visit: Visit): Promise<ReceivedForm> => {
  const { request, deps } = visit;
  await allowPerMinute(deps, `portal register ${clientOf(visit)}`, perMinute, deps.clock.now());
  if (!request.isMultipart()) throw fail('bad_input');
  const form = await receiveForm(contextOf(visit), { photo: uploads.photo });
  if (Object.entries(form.texts).some(([name, value]) => !isWellFormed(name) || !isWellFormed(value))) throw fail('bad_input');
  return form;
};

/** Runs the work of a form and shows a refusal at its fields. */
const withForm = async (visit: Visit, work: (form: ReceivedForm) => Promise<FastifyReply>): Promise<FastifyReply> => {
  await registrationData(visit);
  const form = await received(visit);
  try {
    const typed = { get: (name: string) => form.texts[name] ?? null };
    if (!(await isRightCaptcha(visit, typed))) throw failAt('captcha', refusals.wrong_captcha.text);
    return await work(form);
  } catch (error) {
    const refusal = error instanceof Refusal ? error : toRefusal(error, authCalls.register, visit.request.id);
    if (refusal.reason === 'internal') throw error;
    const fields = Object.entries(refusal.details.fields ?? {});
    const errors = Object.fromEntries(fields.map(([name, text]) => [name, say(text, visit.lang)]));
    const message = fields.length > 0 ? {} : messageData(refusal.text, visit.lang, true);
    return showAgain(visit, form, { error: errors, ...message }, refusals[refusal.reason].status);
  }
};

/** Sends the SMS code. The rest of the form is checked later. */
export const sendCode = (visit: Visit): Promise<FastifyReply> =>
  withForm(visit, async (form) => {
    const phone = plainPhone(form.texts.phone?.trim() ?? '');
    if (!rules.phone_login.test(phone, {}, { passwordRule: defaultPasswordRule, now: visit.deps.clock.now() }))
      throw failAt('phone', ['请输入手机号', 'Please enter the mobile number']);
    const code = await issueSmsCode(contextOf(visit), 'register', phone, visit.agent.name);
    const text = code === null ? texts.codeSent : fill(texts.codeIs, code);
    return showAgain(visit, form, messageData(text, visit.lang), 200);
  });

/** Opens the account for the VNO of the gateway or domain, and logs it in. */
export const register = (visit: Visit): Promise<FastifyReply> =>
  withForm(visit, async (form) => {
    const input = registrationOf(form, visit.deps.clock.now());
    const { account } = await registerSubscriber(contextOf(visit), siteOf(visit), input);
    const row = await findByAccount(visit, account);
    if (!row) throw new Error('a new account is not found');
    return showInside(await logIn(visit, row), row);
  });
