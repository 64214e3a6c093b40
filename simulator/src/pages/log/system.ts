import type { GatewaySnapshot } from '../gateway-snapshot.ts';
import type { LogReader, LogRow } from '../row.ts';
import { earlier, life, newestFirst } from '../timeline.ts';

const routine = [
  ['info', 'ntpd', 'clock adjusted by 4 ms'],
  ['info', 'dnsmasq-dhcp', 'DHCPACK for a lease that was renewed'],
  ['debug', 'prober', 'all targets answered'],
  ['notice', 'acu', 'tracking, AGC steady'],
  ['info', 'reporter', 'traffic report sent'],
  ['warning', 'modem', 'receive SNR below 7 dB for 20 s'],
  ['info', 'firewall', '3 rules reloaded'],
  ['error', 'openvpn', 'TLS handshake failed, trying again'],
  ['notice', 'capwapd', 'configuration sent to access points'],
] as const;

/** Recorded events as log lines. */
const recorded = (snapshot: GatewaySnapshot): LogRow[] =>
  snapshot.gateway.memory.of('link', 'lock', 'fence', 'ap', 'port', 'login', 'docker').map(({ k, t, doc }): LogRow => {
    const line = (level: string, module: string, message: string, more: { operator?: string; source_ip?: string } = {}): LogRow => ({
      time: t,
      level,
      module,
      operator: more.operator ?? '',
      source_ip: more.source_ip ?? '127.0.0.1',
      message,
    });
    if (k === 'link')
      return line(
        'warning',
        'linkd',
        `uplink changed from ${snapshot.wanName(doc.from)} to ${snapshot.wanName(doc.to)}: ${String(doc.why)}`,
      );
    if (k === 'lock') return line('notice', 'linkd', `link lock is now ${String(doc.lock)}`);
    if (k === 'fence') return line('notice', 'fenced', `${doc.in === true ? 'entered' : 'left'} ${String(doc.fence)}`);
    if (k === 'ap')
      return line(doc.s === 1 ? 'notice' : 'error', 'capwapd', `access point ${String(doc.ap)} ${doc.s === 1 ? 'joined' : 'lost'}`);
    if (k === 'port') return line('notice', 'netifd', `eth${String(doc.port)} carrier ${doc.s === 1 ? 'up' : 'lost'}`);
    if (k === 'docker')
      return line(doc.st === 2 ? 'error' : 'info', 'dockerd', `container ${String(doc.name)} ${String(doc.act ?? 'state changed')}`);
    const more = { operator: String(doc.acc), source_ip: String(doc.ip ?? '192.168.10.2') };
    return line(doc.ok === true ? 'notice' : 'warning', 'webd', doc.ok === true ? 'signed in' : 'sign-in refused', more);
  });

export const systemLog: LogReader = (snapshot, before) =>
  newestFirst(
    earlier(recorded(snapshot), before),
    life(snapshot, 'system', { every: 240, before }, (random, time) => {
      const [level, module, message] = random.pick(routine);
      return [{ time, level, module, operator: '', source_ip: '127.0.0.1', message }];
    }),
  );
