import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { ActionFault, type RunHandler } from './action-run.ts';
import { addressOf, wayTo } from './hosts.ts';

const recordsFor = (name: string, record: string, ip: string): JsonObject[] => {
  const line = (data: string, type = record) => ({ name, type, ttl: 300, data });
  if (record === 'A') return [line(ip)];
  if (record === 'AAAA')
    return [
      line(
        `2408:8756::${ip
          .split('.')
          .map((text) => Number(text).toString(16))
          .join(':')}`,
      ),
    ];
  if (record === 'CNAME') return [line(`${name}.cdn.example`)];
  if (record === 'MX') return [line(`10 mx1.${name}`), line(`20 mx2.${name}`)];
  if (record === 'TXT') return [line('"v=spf1 include:spf.mail.example -all"')];
  return [line(`ns1.${name}`), line(`ns2.${name}`)];
};

export const lookup: RunHandler = async (run) => {
  const name = run.text('domain');
  const record = run.text('record') || 'A';
  const server = run.text('server') || '127.0.0.1';
  const way = wayTo(run, run.text('server') || '223.5.5.5');
  run.print(`; <<>> lookup <<>> ${name} ${record} @${server}`, 10);
  await run.wait((way?.rtt ?? 5000) / 1000);
  if (!way) throw new ActionFault('no servers could be reached');
  const ip = addressOf(name);
  const ms = Math.round(way.rtt * run.random.between(1, 1.3));
  const replies = ip === undefined ? [] : recordsFor(name, record, ip);
  run.print(`;; status: ${ip === undefined ? 'NXDOMAIN' : 'NOERROR'}, answers: ${replies.length}`, 80);
  for (const { ttl, type, data } of replies) run.print(`${name}.\t${String(ttl)}\tIN\t${String(type)}\t${String(data)}`);
  run.print(`;; Query time: ${ms} ms\n;; SERVER: ${server}#53`, 95);
  return { status: ip === undefined ? 'NXDOMAIN' : 'NOERROR', server, ms, answers: replies };
};
