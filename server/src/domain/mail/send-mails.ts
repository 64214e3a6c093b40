import { createHmac } from 'node:crypto';
import type { Deps } from '../../kit/deps.ts';
import type { JobKinds, JobRun } from '../../kit/jobs/job.ts';
import { open } from '../../kit/session/secret.ts';
import { mailBrandOf } from '../brand/mail-brand.ts';
import { nearestServer, opened, type ServerRow } from './find-server.ts';
import { MailFault, toFault } from './mail-fault.ts';
import { type Delivered, type Letter, markSent, putOff, requeue, takeLetters } from './mail-queue.ts';
import { connectionsPerServer, type Mail, openSmtp, type SmtpPool } from './smtp.ts';

/** For `startJobs`: retries. New mails enqueue a separate run. */
export const mailEvery = { send_mails: 60 };

const atOnce = 50;
/** A run is limited, so that other jobs get their turn. */
const longestMs = 45_000;
/** Retention of completed jobs. */
const retentionS = 3600;

/** A stored mail. `vno` has the brand; without it the VNO of the letter. */
export type MailParts = Pick<Mail, 'subject' | 'text' | 'html'> & { readonly vno?: number };

const isParts = (value: unknown): value is MailParts =>
  typeof value === 'object' && value !== null && 'subject' in value && 'text' in value && 'html' in value;

const mailOf = async (deps: Deps, { id, recipient, body, agent_id }: Letter, username: string): Promise<Mail> => {
  const { secretKey } = deps.config;
  const parts: unknown = JSON.parse(open(secretKey, body));
  if (!isParts(parts)) throw new Error(`outbox ${id} holds no mail`);
  const name = createHmac('sha256', secretKey).update(`mail ${id}`).digest('hex').slice(0, 24);
  const { vno = agent_id, ...content } = parts;
  return { ...content, to: recipient, messageId: `<${name}@${username.split('@').at(-1)}>`, brand: await mailBrandOf(deps, vno) };
};

const remember = async ({ db, clock }: Deps, { agent_id }: ServerRow, sent: boolean, fault: MailFault | undefined) => {
  const now = clock.now();
  await db
    .updateTable('mail_server')
    .set({ ...(sent && { sent_at: now }), ...(fault && { fault: fault.reason, fault_answer: fault.answer, fault_at: now }) })
    .where('agent_id', '=', agent_id)
    .execute();
};

/** Sends all mails of one server. If the server fails as a whole, the others are rescheduled without further connections. */
const sendThrough = async (deps: Deps, row: ServerRow, letters: readonly Letter[], isOver: () => boolean, delivered: Delivered) => {
  const queue = [...letters];
  const faults: MailFault[] = [];
  const broken = () => faults.find((fault) => fault.isForAll);
  let sent = false;
  const openPool = async () => openSmtp(deps.config, opened(deps.config, row));
  const pool = await openPool().catch((error: unknown) => {
    faults.push(toFault(error));
  });
  const sendOne = async (through: SmtpPool, letter: Letter) => {
    try {
      await through.send(await mailOf(deps, letter, row.username));
    } catch (error) {
      const fault = toFault(error);
      faults.push(fault);
      return putOff(deps, letter, fault);
    }
    sent = true;
    await markSent(deps, letter, delivered);
  };
  const work = async () => {
    for (let letter = queue.shift(); letter; letter = queue.shift()) {
      const fault = broken();
      if (fault || !pool) await putOff(deps, letter, fault ?? faults[0] ?? new MailFault('connect', row.host));
      else if (isOver()) await requeue(deps.db, letter);
      else await sendOne(pool, letter);
    }
  };
  try {
    await Promise.all(Array.from({ length: connectionsPerServer }, work));
  } finally {
    pool?.close();
  }
  const last = faults.at(-1);
  if (last) deps.log.warn({ reason: last.reason, answer: last.answer, agent: row.agent_id }, 'mail delivery failed');
  await remember(deps, row, sent, last);
};

const sendAll = async (run: JobRun, letters: readonly Letter[], isOver: () => boolean, delivered: Delivered) => {
  const { deps } = run;
  const byServer = new Map<number, { row: ServerRow; letters: Letter[] }>();
  for (const [agentId, some] of Map.groupBy(letters, (letter) => letter.agent_id)) {
    const row = await nearestServer(deps.db, agentId);
    if (!row) for (const letter of some) await putOff(deps, letter, new MailFault('none', ''));
    else byServer.set(row.agent_id, { row, letters: [...(byServer.get(row.agent_id)?.letters ?? []), ...some] });
  }
  await Promise.all([...byServer.values()].map(({ row, letters: some }) => sendThrough(deps, row, some, isOver, delivered)));
};

const sendDue = (delivered: Delivered) => async (run: JobRun) => {
  const { deps } = run;
  const end = performance.now() + longestMs;
  const isOver = () => run.signal.aborted || performance.now() > end;
  for (let more = true; more && !isOver(); ) {
    const letters = await takeLetters(deps.db, deps.clock.now(), atOnce, deps.processId);
    more = letters.length === atOnce;
    await sendAll(run, letters, isOver, delivered);
  }
};

export const mailJobs = (delivered: Delivered): JobKinds => ({ send_mails: { run: sendDue(delivered), retentionS } });
