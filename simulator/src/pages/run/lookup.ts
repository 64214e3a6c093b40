import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { DeedFault, type Doer } from './deed.ts';
import { addressOf, wayTo } from './hosts.ts';

const answersFor = (name: string, record: string, ip: string): JsonObject[] => {
  const line = (data: string, type = record) => ({ name, type, ttl: 300, data });
  if (record === 'A') return [line(ip)];
  if (record === 'AAAA')
    return [
      line(
        `2408:8756::${ip
          .split('.')
          .map((part) => Number(part).toString(16))
          .join(':')}`,
      ),
    ];
  if (record === 'CNAME') return [line(`${name}.cdn.example`)];
  if (record === 'MX') return [line(`10 mx1.${name}`), line(`20 mx2.${name}`)];
  if (record === 'TXT') return [line('"v=spf1 include:spf.mail.example -all"')];
  return [line(`ns1.${name}`), line(`ns2.${name}`)];
};

export const lookUp: Doer = async (deed) => {
  const [name, record] = [deed.text('domain'), deed.text('record') || 'A'];
  const server = deed.text('server') || '127.0.0.1';
  const way = wayTo(deed, deed.text('server') || '223.5.5.5');
  deed.say(`; <<>> lookup <<>> ${name} ${record} @${server}`, 10);
  await deed.wait((way?.rtt ?? 5000) / 1000);
  if (!way) throw new DeedFault('no servers could be reached');
  const ip = addressOf(name);
  const ms = Math.round(way.rtt * deed.random.between(1, 1.3));
  const answers = ip === undefined ? [] : answersFor(name, record, ip);
  deed.say(`;; status: ${ip === undefined ? 'NXDOMAIN' : 'NOERROR'}, answers: ${answers.length}`, 80);
  for (const { ttl, type, data } of answers) deed.say(`${name}.\t${String(ttl)}\tIN\t${String(type)}\t${String(data)}`);
  deed.say(`;; Query time: ${ms} ms\n;; SERVER: ${server}#53`, 95);
  return { status: ip === undefined ? 'NXDOMAIN' : 'NOERROR', server, ms, answers };
};
