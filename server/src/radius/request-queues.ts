import { codes, statusTypes } from '@farlink/gateway/radius/attributes.ts';
import type { Deps } from '../kit/deps.ts';
import { type Accounting, storeAccounting, storeRestart } from './account.ts';
import { hasSession } from './account-request.ts';
import { authenticate, type LoginReply } from './authenticate.ts';
import { openFairQueue } from './fair-queue.ts';
import type { LoginRequest } from './login-request.ts';
import { openPasswordCache } from './password-cache.ts';
import type { Pending, Replies } from './replies.ts';

/** Under load the batches grow, and with them the requests per transaction. */
const sizes = { perClient: 4000, inTotal: 40_000, batch: 256, workers: 2, maxWaitMs: 3000, lingerMs: 10 };

interface PendingLogin {
  readonly pending: Pending;
  readonly request: LoginRequest;
}

interface PendingAccounting {
  readonly pending: Pending;
  readonly accounting: Accounting;
}

const isRestart = ({ request }: Accounting) => request.status === statusTypes.on || request.status === statusTypes.off;
const isSession = ({ request }: Accounting) => hasSession(request);

/** Requests that wait for the database. A batch is one transaction; the replies follow its commit. */
export const openRequestQueues = (deps: Deps, replies: Replies) => {
  const { db, config, log } = deps;
  const passwords = openPasswordCache(config.secretKey);
  const results = { accepted: 0, rejected: 0, accounted: 0, failed: 0 };

  /** A request that cannot be stored gets no reply and does not stop the others of its batch. */
  const inBatch = async <T extends { readonly pending: Pending }>(items: readonly T[], work: (items: readonly T[]) => Promise<void>) => {
    try {
      await work(items);
    } catch (err) {
      const [only, ...others] = items;
      if (others.length > 0) for (const item of items) await inBatch([item], work);
      else if (only) {
        results.failed += 1;
        replies.drop(only.pending);
        log.warn({ err, nas: only.pending.client.nas.id }, 'RADIUS request not stored');
      }
    }
  };

  const finishLogin = (pending: Pending, { code, attributes }: LoginReply) => {
    const isAccepted = code === codes.accessAccept;
    results[isAccepted ? 'accepted' : 'rejected'] += 1;
    if (isAccepted) replies.reply(pending, code, attributes);
    else replies.rejectLater(pending, attributes);
  };
  const decideLogins = async (items: readonly PendingLogin[]) => {
    const logins = items.map(({ pending, request }) => ({ nas: pending.client.nas, request }));
    const decided = await db.transaction().execute((tx) => authenticate(tx, deps, passwords, logins));
    for (const [i, { pending }] of items.entries()) {
      const found = decided[i];
      if (found) finishLogin(pending, found);
    }
  };
  const storeAccounts = async (items: readonly PendingAccounting[]) => {
    const all = items.map(({ accounting }) => accounting);
    await db.transaction().execute(async (tx) => {
      await storeAccounting(tx, deps, all.filter(isSession));
      for (const restart of all.filter(isRestart)) await storeRestart(tx, deps, restart);
    });
    results.accounted += items.length;
    for (const { pending } of items) replies.reply(pending, codes.accountingResponse, []);
  };

  const drop = ({ pending }: { readonly pending: Pending }) => replies.drop(pending);
  return {
    results,
    logins: openFairQueue<PendingLogin>({ ...sizes, drop, work: (items) => inBatch(items, decideLogins) }),
    accounts: openFairQueue<PendingAccounting>({ ...sizes, drop, work: (items) => inBatch(items, storeAccounts) }),
    sweep: passwords.sweep,
  };
};
