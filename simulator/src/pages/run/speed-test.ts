import type { Deed, Doer } from './deed.ts';
import { DeedFault } from './deed.ts';

const asMbit = (kbps: number) => (kbps / 1000).toFixed(2);

/** One direction, second by second, until the time or the data cap is over. */
const measure = async (deed: Deed, way: 'down' | 'up', capacity: number, budgetMb: number) => {
  const secs = deed.number('duration', 10);
  const speeds: number[] = [];
  let usedMb = 0;
  for (let second = 1; second <= secs && usedMb < budgetMb; second++) {
    await deed.wait(1);
    // Slow start, then what the link has room for.
    const speed = Math.round(capacity * Math.min(1, 0.3 + second * 0.2) * deed.random.between(0.82, 0.97));
    speeds.push(speed);
    usedMb += speed / 8 / 1000;
    deed.say(`[${way === 'down' ? 'download' : 'upload'}] ${String(second).padStart(2)}s  ${asMbit(speed).padStart(8)} Mbit/s`);
  }
  const best = speeds.slice(Math.floor(speeds.length / 3));
  return { kbps: Math.round(best.reduce((sum, one) => sum + one, 0) / Math.max(1, best.length)), usedMb };
};

export const testSpeed: Doer = async (deed) => {
  const wan = deed.wan(deed.args.link);
  if (wan?.now?.s !== 1) throw new DeedFault('the link is down');
  const direction = deed.text('direction') || 'both';
  const cap = deed.number('max_mb', 50);
  deed.say(`server ${deed.text('server') || 'platform'}, link ${wan.name}, ${deed.number('streams', 4)} streams, at most ${cap} MB`, 2);
  await deed.wait((wan.now.r ?? 500) / 1000);
  deed.say(`latency ${wan.now.r ?? 0} ms`, 8);
  const half = direction === 'both' ? cap / 2 : cap;
  const down = direction === 'up' ? undefined : await measure(deed, 'down', wan.down, half);
  if (down) deed.say(`download ${asMbit(down.kbps)} Mbit/s`, 55);
  const up = direction === 'down' ? undefined : await measure(deed, 'up', wan.up, half);
  if (up) deed.say(`upload ${asMbit(up.kbps)} Mbit/s`, 98);
  const used = Math.round(((down?.usedMb ?? 0) + (up?.usedMb ?? 0)) * 10) / 10;
  return {
    ...{ link: wan.name, latency: wan.now.r ?? 0, used_mb: used },
    ...(down && { down_kbps: down.kbps }),
    ...(up && { up_kbps: up.kbps }),
  };
};
