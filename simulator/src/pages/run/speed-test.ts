import type { ActionRun, RunHandler } from './action-run.ts';
import { ActionFault } from './action-run.ts';

const asMbit = (kbps: number) => (kbps / 1000).toFixed(2);

/** Measures one direction each second until the time or the data limit ends. */
const measure = async (run: ActionRun, way: 'down' | 'up', capacity: number, budgetMb: number) => {
  const secs = run.number('duration', 10);
  const speeds: number[] = [];
  let usedMb = 0;
  for (let second = 1; second <= secs && usedMb < budgetMb; second++) {
    await run.wait(1);
    // Slow start, then the capacity of the link.
    const speed = Math.round(capacity * Math.min(1, 0.3 + second * 0.2) * run.random.between(0.82, 0.97));
    speeds.push(speed);
    usedMb += speed / 8 / 1000;
    run.print(`[${way === 'down' ? 'download' : 'upload'}] ${String(second).padStart(2)}s  ${asMbit(speed).padStart(8)} Mbit/s`);
  }
  const best = speeds.slice(Math.floor(speeds.length / 3));
  return { kbps: Math.round(best.reduce((sum, one) => sum + one, 0) / Math.max(1, best.length)), usedMb };
};

export const testSpeed: RunHandler = async (run) => {
  const wan = run.wan(run.args.link);
  if (wan?.now?.s !== 1) throw new ActionFault('the link is down');
  const direction = run.text('direction') || 'both';
  const cap = run.number('max_mb', 50);
  run.print(`server ${run.text('server') || 'platform'}, link ${wan.name}, ${run.number('streams', 4)} streams, at most ${cap} MB`, 2);
  await run.wait((wan.now.r ?? 500) / 1000);
  run.print(`latency ${wan.now.r ?? 0} ms`, 8);
  const half = direction === 'both' ? cap / 2 : cap;
  const down = direction === 'up' ? undefined : await measure(run, 'down', wan.down, half);
  if (down) run.print(`download ${asMbit(down.kbps)} Mbit/s`, 55);
  const up = direction === 'down' ? undefined : await measure(run, 'up', wan.up, half);
  if (up) run.print(`upload ${asMbit(up.kbps)} Mbit/s`, 98);
  const used = Math.round(((down?.usedMb ?? 0) + (up?.usedMb ?? 0)) * 10) / 10;
  return {
    link: wan.name,
    latency: wan.now.r ?? 0,
    used_mb: used,
    ...(down && { down_kbps: down.kbps }),
    ...(up && { up_kbps: up.kbps }),
  };
};
