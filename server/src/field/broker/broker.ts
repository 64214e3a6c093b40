import type { Pool } from 'pg';
import type { Deps } from '../../kit/deps.ts';
import { openListener } from '../../kit/listener.ts';
import { startTicker } from '../../kit/ticker.ts';
import { connectionChannel, readConnectionNotification } from '../../orders/notify.ts';
import type { FieldListener } from '../field.ts';
import { beat, isSilent, openFieldSweep, takeOver } from '../sweep.ts';
import type { BrokerAddress } from './client.ts';
import { openLeaderLock } from './leader-lock.ts';
import { brokerNode } from './online-gateways.ts';
import { openPasswordFile } from './password-file.ts';
import { BrokerTransport } from './transport.ts';

export interface BrokerOptions {
  readonly address: BrokerAddress;
  readonly passwordFile?: string;
  /** Interval of the periodic maintenance. */
  readonly tickMs?: number;
}

export interface Broker extends FieldListener {
  /** Returns true if this process is connected to the broker. */
  listens(): boolean;
}

const checkMs = 60_000;

const openPasswords = (pool: Pool, { passwordFile, address: { username, password } }: BrokerOptions) =>
  passwordFile !== undefined && username !== undefined && password !== undefined
    ? openPasswordFile(pool, passwordFile, { username, password })
    : undefined;

/**
 * The console is a client of an external broker. One process at a time is connected, in a persistent session, so message order is kept and
 * the next leader resumes the session. No message for a gateway is queued at the broker: it waits in the database until the gateway sends
 * hello.
 */
export const openBroker = async (deps: Deps, options: BrokerOptions): Promise<Broker> => {
  const { pool, log, clock } = deps;
  const transport = new BrokerTransport(deps, options.address, () => registerAgain());
  const { field, faults, gateways } = transport;
  let closing = false;

  const listener = openListener(pool, connectionChannel, (text) => {
    const note = readConnectionNotification(text);
    if (!note) return;
    if ('wake' in note) return transport.deliver(note.wake);
    if ('deliverAll' in note) return transport.deliver(gateways.sns);
    transport.forgetAuthorization(note.end);
    // The console cannot disconnect a client at the broker. A gateway with a new key reconnects by itself.
    if (note.key === undefined && gateways.connOf(note.end) !== note.but) gateways.setOffline(note.end);
  });
  const leaderLock = openLeaderLock(pool);
  const passwords = openPasswords(pool, options);
  const sweep = openFieldSweep(deps);

  let checkedAt = performance.now();
  const checkGateways = () => {
    gateways.deliverMissed();
    const at = performance.now();
    if (at - checkedAt <= checkMs) return;
    checkedAt = at;
    gateways.checkAll();
  };
  /** A leader without a heartbeat is paused or has lost the database: its lock is taken from it. */
  const acquireLead = async () => {
    const lead = await leaderLock.acquire();
    if (lead || !(await isSilent(pool, brokerNode, clock.now()))) return lead;
    log.warn('broker leader is silent, taking over');
    await leaderLock.terminateHolder();
    return leaderLock.acquire();
  };
  /** The row is new only if no other leader has one. */
  const registerAgain = async () => {
    const { isNew, epoch } = await beat(pool, brokerNode, clock.now());
    if (!isNew) return false;
    field.register(epoch);
    transport.requestHellos();
    return true;
  };
  const tick = async () => {
    try {
      transport.check();
      const lead = await acquireLead();
      if (!lead) return await transport.stop();
      // The heartbeat comes first, so that no other process marks these gateways offline.
      const { isNew, epoch } = await beat(pool, brokerNode, clock.now());
      if (isNew) transport.requestHellos();
      // The number of a row that another leader has taken over is never used.
      if (lead === 'taken') field.register((await takeOver(pool, brokerNode)) ?? epoch);
      else if (isNew) field.register(epoch);
      if (await listener.ensure()) transport.deliver(gateways.sns);
      await passwords?.refresh().catch((err) => log.error({ err }, 'broker password file update failed'));
      if (!transport.isStarted) {
        await gateways.restore(pool);
        if (!closing) transport.start();
      }
      checkGateways();
      await sweep();
    } catch (err) {
      log.warn({ err }, 'gateway maintenance failed');
    }
  };

  const ticker = startTicker(tick, options.tickMs ?? 5000);
  await ticker.first;

  const close = async () => {
    closing = true;
    await ticker.stop();
    await transport.close();
    listener.close();
    leaderLock.release();
  };
  return { field, faults, connections: () => gateways.count, listens: () => transport.isConnected, close };
};
