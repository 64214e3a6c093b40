import { codes } from '@farlink/gateway/radius/attributes.ts';
import { decodePacket } from '@farlink/gateway/radius/packet.ts';
import type { Deps } from '../kit/deps.ts';
import { clockOffset, hasSession, readAccountRequest } from './account-request.ts';
import { openBuckets } from './fair-queue.ts';
import { identify, identifyRadsec } from './identify.ts';
import { readLoginRequest } from './login-request.ts';
import type { NasCounters } from './nas-counters.ts';
import type { Registry } from './registry.ts';
import { openReplies, type Pending, type Source } from './replies.ts';
import { openRequestQueues } from './request-queues.ts';

/** Requests per second of one address, before they are verified, and of one client. */
const sourceRate = { perSecond: 20_000, burst: 40_000 };
const clientRate = { perSecond: 10_000, burst: 20_000 };

const isFor = ({ accepts }: Source, code: number) =>
  code === codes.statusServer ||
  (code === codes.accessRequest && accepts !== 'accounting') ||
  (code === codes.accountingRequest && accepts !== 'access');

/** From bytes to a reply: decode, prove the client, find repetitions, wait in turn, store, reply after the commit. */
export const openPipeline = (deps: Deps, registry: Registry, counters: NasCounters, rejectDelayMs: number) => {
  const { clock } = deps;
  const replies = openReplies(counters, rejectDelayMs);
  const { logins, accounts, results, sweep } = openRequestQueues(deps, replies);
  const mayVerify = openBuckets(sourceRate);
  const maySend = openBuckets(clientRate);

  const accept = (pending: Pending) => {
    const { packet, client, source } = pending;
    const { nas, secret } = client;
    if (packet.code === codes.statusServer)
      return replies.reply(pending, source.accepts === 'accounting' ? codes.accountingResponse : codes.accessAccept, []);
    if (packet.code === codes.accessRequest) {
      const request = readLoginRequest(packet, nas, secret);
      if (request) counters.login(nas.id);
      if (!request) replies.rejectLater(pending, []);
      else if (!logins.add(nas.id, { pending, request })) replies.drop(pending);
      return;
    }
    const request = readAccountRequest(packet, nas, source.address, clock.now());
    if (request)
      counters.accounting(nas.id, {
        isReturned: hasSession(request) ? request.class !== undefined : undefined,
        offset: clockOffset(packet, clock.now()),
      });
    if (!request || !accounts.add(nas.id, { pending, accounting: { nas, request } })) replies.drop(pending);
  };

  return {
    results,
    sweep,
    waiting: () => ({ access: logins.size(), accounting: accounts.size() }),
    /** Handles one datagram or one packet of a RadSec connection. */
    receive: (bytes: Buffer, source: Source) => {
      if (!mayVerify(source.address)) return counters.refuse('flood');
      const packet = decodePacket(bytes);
      if (!packet || !isFor(source, packet.code)) return counters.refuse('malformed');
      const client = source.nas
        ? identifyRadsec(registry, counters, { nas: source.nas, packet, bytes })
        : identify(registry, counters, { packet, bytes, address: source.address });
      if (!client) return;
      const { id } = client.nas;
      if (!maySend(id)) return counters.count(id, 'drops');
      counters.seen(client, source.address, packet.code === codes.accessRequest ? client.isSigned : undefined);
      const key = `${id} ${packet.code} ${packet.id} ${packet.authenticator.toString('latin1')}`;
      if (replies.cache.begin(key)) return accept({ packet, client, source, key });
      counters.count(id, 'duplicates');
      const known = replies.cache.replyOf(key);
      if (known) source.send(known);
    },
    close: async () => {
      replies.close();
      await Promise.all([logins.drained(), accounts.drained()]);
    },
  };
};

export type Pipeline = ReturnType<typeof openPipeline>;
