import { createHmac } from 'node:crypto';
import type { Deps } from '../../kit/deps.ts';
import type { JobKinds, JobRun } from '../../kit/jobs/job.ts';
import { open } from '../../kit/session/secret.ts';
import { mailBrandOf } from '../brand/mail-brand.ts';
import { nearestServer, opened, type ServerRow } from './find-server.ts';
import { MailFault, toFault } from './mail-fault.ts';
import { type Delivered, hasDueMails, leaseMails, markSent, type QueuedMail, requeue, reschedule } from './mail-queue.ts';
import { connectionsPerServer, type Mail, openSmtp, type SmtpPool } from './smtp.ts';

const batchSize = 50;
/** A run is limited, so that other jobs can run. */
const longestMs = 45_000;
/** Retention of completed jobs. */
const retentionS = 3600;

/** A stored mail. `vno` is the VNO of the brand; by default that of the mail. */
export type MailContent = Pick<Mail, 'subject' | 'text' | 'html'> & { readonly vno?: number };

const isMailContent = (value: unknown): value is MailContent =>
  typeof value === 'object' && value !== null && 'subject' in value && 'text' in value && 'html' in value;

const mailOf = async (deps: Deps, { id, recipient, body, agent_id }: QueuedMail, username: string): Promise<Mail> => {
  const { secretKey } = deps.config;
  const stored: unknown = JSON.parse(open(secretKey, body));
  if (!isMailContent(stored)) throw new Error(`outbox ${id} contains no mail`);
  const name = createHmac('sha256', secretKey).update(`mail ${id}`).digest('hex').slice(0, 24);
  const { vno = agent_id, ...content } = stored;
  return { ...content, to: recipient, messageId: `<${name}@${username.split('@').at(-1)}>`, brand: await mailBrandOf(deps, vno) };
};

const storeResult = async ({ db, clock }: Deps, { agent_id }: ServerRow, sent: boolean, fault: MailFault | undefined) => {
  const now = clock.now();
  await db
    .updateTable('mail_server')
    .set({ ...(sent && { sent_at: now }), ...(fault && { fault: fault.reason, fault_answer: fault.reply, fault_at: now }) })
    .where('agent_id', '=', agent_id)
    .execute();
};

/** Sends all mails of one server. If the server fails as a whole, the others are rescheduled without further connections. */
const sendByServer = async (deps: Deps, row: ServerRow, mails: readonly QueuedMail[], isOver: () => boolean, delivered: Delivered) => {
  const queue = [...mails];
  const faults: MailFault[] = [];
  const broken = () => faults.find((fault) => fault.isForAll);
  let sent = false;
  const openPool = async () => openSmtp(deps.config, opened(deps.config, row));
  const pool = await openPool().catch((error: unknown) => {
    faults.push(toFault(error));
  });
  const sendOne = async (smtp: SmtpPool, mail: QueuedMail) => {
    try {
      await smtp.send(await mailOf(deps, mail, row.username));
    } catch (error) {
      const fault = toFault(error);
      faults.push(fault);
      return reschedule(deps, mail, fault);
    }
    sent = true;
    await markSent(deps, mail, delivered);
  };
  const work = async () => {
    for (let mail = queue.shift(); mail; mail = queue.shift()) {
      const fault = broken();
      if (fault || !pool) await reschedule(deps, mail, fault ?? faults[0] ?? new MailFault('connect', row.host));
      else if (isOver()) await requeue(deps.db, mail);
      else await sendOne(pool, mail);
    }
  };
  try {
    await Promise.all(Array.from({ length: connectionsPerServer }, work));
  } finally {
    pool?.close();
  }
  const last = faults.at(-1);
  if (last) deps.log.warn({ reason: last.reason, reply: last.reply, agent: row.agent_id }, 'mail delivery failed');
  await storeResult(deps, row, sent, last);
};

const sendAll = async (run: JobRun, mails: readonly QueuedMail[], isOver: () => boolean, delivered: Delivered) => {
  const { deps } = run;
  const byServer = new Map<number, { row: ServerRow; mails: QueuedMail[] }>();
  for (const [agentId, some] of Map.groupBy(mails, (mail) => mail.agent_id)) {
    const row = await nearestServer(deps.db, agentId);
    if (!row) for (const mail of some) await reschedule(deps, mail, new MailFault('none', ''));
    else byServer.set(row.agent_id, { row, mails: [...(byServer.get(row.agent_id)?.mails ?? []), ...some] });
  }
  await Promise.all([...byServer.values()].map(({ row, mails: some }) => sendByServer(deps, row, some, isOver, delivered)));
};

const sendDue = (delivered: Delivered) => async (run: JobRun) => {
  const { deps } = run;
  const end = performance.now() + longestMs;
  const isOver = () => run.signal.aborted || performance.now() > end;
  for (let more = true; more && !isOver(); ) {
    const mails = await leaseMails(deps.db, deps.clock.now(), batchSize, deps.processId);
    more = mails.length === batchSize;
    await sendAll(run, mails, isOver, delivered);
  }
};

/** New mails enqueue a run; retries begin with a round. */
export const mailJobs = (delivered: Delivered): JobKinds => ({
  send_mails: { run: sendDue(delivered), everyS: 60, isDue: ({ clock }) => hasDueMails(clock.now()), retentionS },
});
