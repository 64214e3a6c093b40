import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { isCaptcha } from '../domain/captcha/captcha.ts';
import { settingsOf } from '../domain/settings.ts';
import { type AttemptLimit, type CountedAttempt, clearAttempts, countAttempt, returnAttempt } from '../kit/session/attempts.ts';
import { isKnownClient } from './known-client.ts';
import { texts } from './texts.ts';
import { clientOf, type Visit } from './visit.ts';

/** Failures after which a captcha is needed. */
const captchaAfter = 3;
/**
 * Failures of one client, and failures with one name from all clients, as a multiple of those that lock a client for a name: an address
 * may belong to many people.
 */
const wideFactor = 4;
/** Above the limit of a name, all unknown clients together have one attempt in this time. A lock would let strangers lock a subscriber out. */
const pauseS = 30;

/** What is guessed. */
interface Target {
  /** The account or card that was typed. Unknown names are counted too, so the replies do not differ. */
  readonly typed?: string;
  /** The subscriber with this name. */
  readonly owner?: number | undefined;
  /** Counts for a subscriber who is logged in, from all clients. */
  readonly session?: string | undefined;
}

/** A counted attempt. It can be checked if there is no refusal. */
export interface Attempt {
  readonly counted: readonly CountedAttempt[];
  readonly refusal?: { readonly text: Text; readonly status: number };
  /** Whether the next attempt needs a captcha. */
  readonly isCaptchaNext: boolean;
}

const clientName = (visit: Visit) => `portal client ${clientOf(visit)}`;

const limitsOf = async (visit: Visit, { typed, owner, session }: Target): Promise<AttemptLimit[]> => {
  const { db, config } = visit.deps;
  const { lock_count, lock_time } = await settingsOf(db, config, visit.agent.id);
  const max = lock_count;
  const windowS = lock_time * 60;
  const limits: AttemptLimit[] = [{ name: clientName(visit), max: max * wideFactor, windowS }];
  if (session !== undefined) limits.push({ name: `portal ${session}`, max, windowS });
  if (typed === undefined) return limits;
  limits.push({ name: `${clientName(visit)} ${typed}`, max, windowS });
  if (!(await isKnownClient(visit, owner))) limits.push({ name: `portal ${typed}`, max: max * wideFactor, windowS, pauseS });
  return limits;
};

const refusalOf = async (visit: Visit, counted: readonly CountedAttempt[], form?: URLSearchParams): Promise<Attempt['refusal']> => {
  const waitS = Math.max(...counted.map((one) => one.waitS));
  if (waitS > 0) return { text: fill(texts.locked, Math.ceil(waitS / 60)), status: 429 };
  const isCaptchaNeeded = form !== undefined && counted.some(({ count }) => count > captchaAfter);
  return isCaptchaNeeded && !(await isRightCaptcha(visit, form)) ? { text: texts.captchaNeeded, status: 422 } : undefined;
};

/** Counts an attempt, and refuses it above the limits or without the captcha. A refused attempt is given back. Without a form, no captcha is needed. */
export const beginAttempt = async (visit: Visit, target: Target, form?: URLSearchParams): Promise<Attempt> => {
  const counted: CountedAttempt[] = [];
  for (const limit of await limitsOf(visit, target)) counted.push(await countAttempt(visit.deps.db, limit, visit.deps.clock.now()));
  const refusal = await refusalOf(visit, counted, form);
  const isCaptchaNext = counted.some(({ count }) => count >= captchaAfter);
  if (!refusal) return { counted, isCaptchaNext };
  const allowed = counted.filter(({ waitS }) => waitS === 0);
  await withdraw(visit, { counted: allowed });
  return { counted: [], refusal, isCaptchaNext };
};

/** The attempt was not a guess. */
export const withdraw = async (visit: Visit, { counted }: Pick<Attempt, 'counted'>): Promise<void> => {
  for (const { limit } of counted) await returnAttempt(visit.deps.db, limit);
};

/**
 * A correct attempt clears the failures of this client with this name. Those of the client with other names, and those of other clients
 * with this name, stay.
 */
export const succeed = async (visit: Visit, { counted }: Attempt): Promise<void> => {
  const isWide = ({ limit }: CountedAttempt) => limit.name === clientName(visit) || limit.pauseS !== undefined;
  await withdraw(visit, { counted: counted.filter(isWide) });
  const own = counted.filter((one) => !isWide(one)).map(({ limit }) => limit.name);
  if (own.length > 0) await clearAttempts(visit.deps.db, own);
};

/** Whether the next form of this client needs a captcha. */
export const needsCaptcha = async (visit: Visit): Promise<boolean> => {
  const { db, clock, config } = visit.deps;
  const row = await db
    .selectFrom('attempt')
    .select('update_at')
    .where('name', '=', clientName(visit))
    .where('count', '>=', captchaAfter)
    .executeTakeFirst();
  // True for almost all visitors, so the first page needs no settings.
  if (!row) return false;
  const { lock_time } = await settingsOf(db, config, visit.agent.id);
  return row.update_at > clock.now() - lock_time * 60;
};

export const isRightCaptcha = async (visit: Visit, form: { get(name: string): string | null }): Promise<boolean> => {
  const id = form.get('captcha_id') ?? '';
  const answer = form.get('captcha') ?? '';
  return /^[\w-]{22}$/.test(id) && answer.length <= 8 && isCaptcha(visit.deps, id, answer);
};
