import { isRecord } from '@farlink/contract/kit/values.ts';
import type { Db, Deps } from '../deps.ts';
import { enqueue, type JobKind, type JobKinds, type JobRun } from '../jobs/job.ts';
import { open, seal } from '../session/secret.ts';
import { type Sender, smsSender } from './sender.ts';

type Channel = 'sms' | 'mail';

interface Letter {
  readonly channel: Channel;
  readonly recipient: string;
  readonly body: string;
  /** Latest time of delivery. */
  readonly expireAt?: number;
  /** For a mail: the VNO whose server is used, and its content reference. */
  readonly agentId?: number;
  readonly about?: Readonly<Record<string, unknown>>;
}

const maxTries = 6;
const backOffS = (tries: number) => 5 * 2 ** (tries - 1);

const deliverAt = (db: Db, now: number, id: number, tries: number, runAt: number) =>
  enqueue(db, now, { kind: 'deliver', payload: { outbox_id: id }, key: `deliver:${id}:${tries}`, runAt });

/**
 * Part of the caller's transaction: the message is sent exactly when the caller's change is committed. A mail waits for the next run of
 * `send_mails`, which sends many at once.
 */
export const post = async (db: Db, { config, clock }: Pick<Deps, 'config' | 'clock'>, letter: Letter): Promise<number> => {
  const { channel, recipient, body, expireAt, agentId, about } = letter;
  const now = clock.now();
  const { id } = await db
    .insertInto('outbox')
    .values({
      channel,
      recipient,
      body: seal(config.secretKey, body),
      next_at: now,
      expire_at: expireAt ?? null,
      agent_id: agentId ?? null,
      about: about ? JSON.stringify(about) : null,
      create_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (channel === 'sms') await deliverAt(db, now, id, 0, now);
  return id;
};

const outboxId = (payload: unknown): number => (isRecord(payload) ? Number(payload.outbox_id) : Number.NaN);

/** A try ends as sent, retry later, or failed, and the row stores which. Only a waiting message keeps its body. */
const deliver = async (run: JobRun, sender: Sender | undefined) => {
  const { config, clock, db, log } = run.deps;
  const letter = await db
    .selectFrom('outbox')
    .selectAll()
    .where('id', '=', outboxId(run.job.payload))
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  if (!letter?.body) return;
  const { id, recipient, channel } = letter;
  const tries = letter.tries + 1;
  const end = (state: 'sent' | 'failed', error: string | null) =>
    run.commit(async (trx) => {
      await trx.updateTable('outbox').set({ state, tries, error, body: null, finish_at: clock.now() }).where('id', '=', id).execute();
    });
  if (letter.expire_at !== null && letter.expire_at <= clock.now()) return end('failed', letter.error ?? 'expired');
  try {
    if (!sender) throw new Error(`no sender for ${channel}`);
    await sender.send({ id, recipient, body: open(config.secretKey, letter.body) });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    log.warn({ err: error, outbox: id, tries }, 'message delivery failed');
    if (tries >= maxTries) return end('failed', why);
    const next = clock.now() + backOffS(tries);
    return run.commit(async (trx) => {
      await trx.updateTable('outbox').set({ tries, error: why, next_at: next }).where('id', '=', id).execute();
      await deliverAt(trx, clock.now(), id, tries, next);
    });
  }
  return end('sent', null);
};

export const outboxJobs = ({ config }: Deps): JobKinds => {
  const sms = smsSender(config);
  const kind: JobKind = { run: (run) => deliver(run, sms) };
  return { deliver: kind };
};
