import { macOf } from '../../session.ts';
import type { GatewaySnapshot } from '../gateway-snapshot.ts';
import type { LogReader, LogRow } from '../row.ts';
import { earlier, life, newestFirst } from '../timeline.ts';

/** Accounts of the gateway. Defaults are used if there are none, so that the logs are not empty. */
export const accountsOf = (snapshot: GatewaySnapshot): readonly [string, ...string[]] => {
  const [first = 'crew01', ...rest] = snapshot.gateway.people.names;
  return rest.length > 0 ? [first, ...rest] : [first, 'crew02', 'crew03', 'master'];
};

/** The phone of an account; its address never changes. */
export const phoneOf = (snapshot: GatewaySnapshot, account: string) => ({
  ip: `192.168.10.${10 + Math.abs(snapshot.lasting(`ip ${account}`).int(0, 180))}`,
  mac: macOf(`${snapshot.gateway.sn} ${account}`),
});

const apOf = (snapshot: GatewaySnapshot, account: string): string => {
  const { aps } = snapshot.gateway.view();
  return aps[snapshot.lasting(`place ${account}`).int(0, aps.length - 1)]?.mac ?? '';
};

const left: Readonly<Record<string, readonly [event: string, reason: string]>> = {
  user: ['logout', 'signed out by the user'],
  idle: ['idle', 'no traffic'],
  kick: ['kick', 'ended by an operator'],
  quota: ['exhausted', 'data allowance used up'],
  lost: ['logout', 'gateway restarted'],
  expired: ['exhausted', 'validity ended'],
  session: ['exhausted', 'online time used up'],
};

const remembered = (snapshot: GatewaySnapshot): LogRow[] =>
  snapshot.gateway.memory.of('user', 'auth').map(({ k, t, doc }): LogRow => {
    const account = String(doc.acc);
    const entered = doc.in === true;
    const [event, reason] =
      k === 'auth' ? ['reject', String(doc.why)] : entered ? ['login', ''] : (left[String(doc.why)] ?? ['logout', '']);
    const login = snapshot.gateway.memory.of('user').find((one) => one.doc.sid === doc.sid && one.doc.in === true);
    return {
      time: t,
      account,
      event,
      reason,
      ap: apOf(snapshot, account),
      method: 'portal',
      ip: String(doc.ip ?? phoneOf(snapshot, account).ip),
      mac: String(doc.mac ?? macOf(`${snapshot.gateway.sn} ${account}`)),
      duration: entered || !login ? 0 : t - login.t,
      up_bytes: Number(doc.u ?? 0),
      down_bytes: Number(doc.d ?? 0),
    };
  });

export const authLog: LogReader = (snapshot, before) =>
  newestFirst(
    earlier(remembered(snapshot), before),
    life(snapshot, 'auth', { every: 900, before, until: snapshot.gateway.memory.since }, (random, time) => {
      const account = random.pick(accountsOf(snapshot));
      const secs = random.int(300, 9000);
      const down = secs * random.int(500, 20_000);
      const [event, reason] = random.pick([
        ['login', ''],
        ['logout', 'signed out by the user'],
        ['idle', 'no traffic'],
        ['reject', 'password'],
      ] as const);
      const isOver = event === 'logout' || event === 'idle';
      return [
        {
          time,
          account,
          ...phoneOf(snapshot, account),
          event,
          reason,
          ap: apOf(snapshot, account),
          method: random.pick(['portal', 'portal', 'mac']),
          duration: isOver ? secs : 0,
          up_bytes: isOver ? Math.round(down / 9) : 0,
          down_bytes: isOver ? down : 0,
        },
      ];
    }),
  );

const attacks = [
  ['scan', 'tcp', 22, 'ban'],
  ['scan', 'tcp', 3389, 'ban'],
  ['flood', 'udp', 53, 'drop'],
  ['rule', 'tcp', 445, 'drop'],
  ['login', 'tcp', 23, 'ban'],
  ['arp', 'any', 1, 'isolate'],
  ['rogue_dhcp', 'udp', 67, 'isolate'],
  ['conflict', 'any', 1, 'log'],
] as const;

export const defenseLog: LogReader = (snapshot, before) =>
  life(snapshot, 'defense', { every: 5400, before }, (random, time) => {
    const [type, protocol, port, action] = random.pick(attacks);
    const isInside = type === 'arp' || type === 'rogue_dhcp' || type === 'conflict';
    const account = random.pick(accountsOf(snapshot));
    const rules = snapshot.names('defense_firewall_rule');
    return [
      {
        time,
        type,
        protocol,
        action,
        dst_port: port,
        interface: isInside ? String(snapshot.rows('network_lan')[0]?.name ?? 'lan') : (snapshot.wans[0]?.name ?? ''),
        src_ip: isInside
          ? phoneOf(snapshot, account).ip
          : `${random.int(23, 210)}.${random.int(0, 255)}.${random.int(0, 255)}.${random.int(1, 254)}`,
        src_mac: isInside ? phoneOf(snapshot, account).mac : macOf(`${snapshot.gateway.sn} upstream`),
        dst_ip: isInside ? '192.168.10.1' : (snapshot.wans[0]?.now?.ip ?? '10.65.0.2'),
        count: random.int(1, 900),
        rule: type === 'rule' ? (rules[random.int(0, rules.length - 1)] ?? '') : '',
      },
    ];
  });
