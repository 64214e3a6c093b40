import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { ActionRun, RunHandler } from './action-run.ts';
import { resolved, wayTo } from './hosts.ts';

const pathMtu = 1472;

const headOf = (run: ActionRun, host: string, ip: string) =>
  run.text('protocol') === 'tcp'
    ? `TCP ping ${host} (${ip}) port ${run.number('port', 443)}`
    : `PING ${host} (${ip}) ${run.number('size', 56)}(${run.number('size', 56) + 28}) bytes of data.`;

/** One probe: the round-trip time; undefined: no reply. */
const tryOnce = async (run: ActionRun, ip: string): Promise<number | undefined> => {
  const way = wayTo(run, ip);
  const tooLarge = run.flag('df') && run.number('size', 56) > pathMtu;
  if (!way || tooLarge || run.random.chance(0.015)) {
    await run.wait(run.number('timeout', 4));
    return undefined;
  }
  await run.wait(Math.max(1, way.rtt / 1000));
  return Math.round(way.rtt * run.random.between(0.95, 1.25) * 10) / 10;
};

const lineOf = (run: ActionRun, ip: string, seq: number, ms: number | undefined): string => {
  if (run.flag('df') && run.number('size', 56) > pathMtu) return 'ping: message too long, mtu=1500';
  if (ms === undefined) return `Request timeout for seq ${seq}`;
  const size = run.number('size', 56) + 8;
  return run.text('protocol') === 'tcp'
    ? `Connected to ${ip}:${run.number('port', 443)} seq=${seq} time=${ms} ms`
    : `${size} bytes from ${ip}: icmp_seq=${seq} ttl=52 time=${ms} ms`;
};

export const ping: RunHandler = async (run) => {
  const host = run.text('host');
  const ip = resolved(host);
  const count = run.number('count', 4);
  run.print(headOf(run, host, ip));
  const times: number[] = [];
  for (let seq = 1; seq <= count; seq++) {
    const ms = await tryOnce(run, ip);
    if (ms !== undefined) times.push(ms);
    run.print(lineOf(run, ip, seq, ms), (seq / count) * 100);
  }
  const loss = Math.round((1 - times.length / count) * 100);
  const min = Math.min(...times);
  const max = Math.max(...times);
  const avg = Math.round((times.reduce((sum, ms) => sum + ms, 0) / Math.max(1, times.length)) * 10) / 10;
  run.print(`\n--- ${host} ping statistics ---\n${count} packets transmitted, ${times.length} received, ${loss}% packet loss`);
  if (times.length > 0) run.print(`rtt min/avg/max = ${min}/${avg}/${max} ms`);
  return { host, ip, sent: count, received: times.length, loss, ...(times.length > 0 && { min, avg, max }) };
};

export const trace: RunHandler = async (run) => {
  const host = run.text('host');
  const ip = resolved(host);
  const maxHops = run.number('max_hops', 20);
  run.print(`traceroute to ${host} (${ip}), ${maxHops} hops max`);
  const way = wayTo(run, ip);
  const length = Math.min(maxHops, way ? run.random.int(7, 11) : maxHops);
  const hops: JsonObject[] = [];
  let silent = 0;
  for (let hop = 1; hop <= length; hop++) {
    const isLast = way !== undefined && hop === length && length < maxHops + 1;
    // All hops behind the modem include the satellite delay.
    const base = hop === 1 ? 1 : (way?.rtt ?? 0) + hop * 2;
    const isSilent = !way ? hop > 1 : run.random.chance(0.1) && !isLast;
    await run.wait(isSilent ? run.number('timeout', 4) : Math.max(0.2, base / 1000));
    const at = isLast ? ip : hop === 1 ? '192.168.10.1' : `10.${20 + hop}.${run.random.int(0, 255)}.1`;
    const times = isSilent ? [] : Array.from({ length: 3 }, () => Math.round(base * run.random.between(0.95, 1.15) * 10) / 10);
    const name = run.flag('resolve') && !isSilent ? ` (${isLast ? host : `hop${hop}.carrier.example`})` : '';
    run.print(
      `${String(hop).padStart(2)}  ${isSilent ? '* * *' : `${at}${name}  ${times.map((ms) => `${ms} ms`).join('  ')}`}`,
      (hop / length) * 100,
    );
    hops.push({ hop, ip: isSilent ? '*' : at, rtt: times[0] ?? null });
    silent = isSilent ? silent + 1 : 0;
    // Stops after five silent hops.
    if (silent >= 5) break;
  }
  return { host, ip, reached: way !== undefined && silent === 0, hops };
};
