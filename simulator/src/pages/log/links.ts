import type { GatewaySnapshot } from '../gateway-snapshot.ts';
import type { LogReader, LogRow } from '../row.ts';
import { locks } from '../status/overview.ts';
import { scoresOf } from '../status/policies.ts';
import { earlier, life, newestFirst } from '../timeline.ts';

/** Reasons of a link change, in the terms of the log. */
const triggers: Readonly<Record<string, readonly [trigger: string, detail: string]>> = {
  coverage: ['failure', 'out of coverage'],
  rain: ['threshold', 'signal faded in the rain'],
  quality: ['threshold', 'quality below the limit'],
  better: ['recovery', 'a better link recovered'],
  command: ['platform', 'requested by the platform'],
  manual: ['manual', 'requested by an operator'],
  lost: ['failure', 'carrier lost'],
};

/** Link changes before the recorded events: 6D fails and recovers. */
const oldChange = (snapshot: GatewaySnapshot, k: number) => {
  const [a, b] = snapshot.wans.filter((wan) => wan.type !== 'shore');
  const [from, to] = k % 2 === 0 ? [a, b] : [b, a];
  return { from: from?.name ?? '', to: to?.name ?? '' };
};

export const linkLog: LogReader = (snapshot, before) => {
  const { radio } = snapshot.gateway.world;
  const state = { change_mode: radio.mode, link_lock: locks[radio.lock] };
  const recorded = snapshot.gateway.memory.of('link').map(({ t, doc }): LogRow => {
    const [trigger, detail] = triggers[String(doc.why)] ?? ['failure', String(doc.why ?? '')];
    return {
      time: t,
      from_link: snapshot.wanName(doc.from),
      to_link: snapshot.wanName(doc.to),
      trigger,
      detail,
      ...state,
      ...snapshot.positionAt(t),
      outage_s: snapshot.gateway.fork(`outage ${t}`).int(1, 18),
      operator: trigger === 'platform' ? 'platform' : trigger === 'manual' ? String(doc.by ?? 'platform') : '',
      result: doc.to === 'none' ? 'fail' : 'success',
    };
  });
  return newestFirst(
    earlier(recorded, before),
    life(snapshot, 'links', { every: 21_600, before, until: snapshot.gateway.memory.since }, (random, time) => {
      const { from, to } = oldChange(snapshot, Math.floor(time / 21_600));
      const [trigger, detail] = random.pick([triggers.rain, triggers.better, triggers.quality] as const) ?? ['boot', 'chosen after start'];
      return [
        {
          time,
          from_link: from,
          to_link: to,
          trigger,
          detail,
          ...state,
          ...snapshot.positionAt(time),
          outage_s: random.int(1, 30),
          operator: random.chance(0.1) ? 'master' : '',
          result: 'success',
        },
      ];
    }),
  );
};

export const decisionLog: LogReader = (snapshot, before) => {
  const flows = snapshot.names('arbiter_flow_class');
  const scores = scoresOf(snapshot.wans);
  return life(snapshot, 'decision', { every: 7200, before }, (random, time) => {
    const { from, to } = oldChange(snapshot, Math.floor(time / 7200));
    return [
      {
        time,
        from_link: from,
        to_link: to,
        scores,
        ...snapshot.positionAt(time),
        flow_class: flows[random.int(0, flows.length - 1)] ?? '',
        reason: random.pick(['latency', 'loss', 'load', 'recovery', 'better', 'probe_fail']),
        latency: random.int(45, 1500),
        loss: random.int(0, 12),
        sessions: random.int(0, 90),
      },
    ];
  });
};

export const fenceLog: LogReader = (snapshot, before) => {
  const link = snapshot.active?.name ?? '';
  const areas = snapshot.rows('fence_area');
  const recorded = snapshot.gateway.memory.of('fence').flatMap(({ t, doc }): LogRow[] => {
    const area = areas.find((row) => row.name === doc.fence);
    const policy = String((doc.in === true ? area?.on_enter : area?.on_leave) ?? '');
    const position = { latitude: Number(doc.lat ?? 0).toFixed(5), longitude: Number(doc.lon ?? 0).toFixed(5) };
    const line = { fence: String(doc.fence), policy, link_before: link, link_after: link, ...position, result: 'success', reported: true };
    const crossing: LogRow = { time: t, event: doc.in === true ? 'enter' : 'leave', ...line };
    return policy === '' ? [crossing] : [{ ...crossing, time: t + 1, event: 'applied' }, crossing];
  });
  const first = areas[0];
  if (!first) return earlier(recorded, before);
  return newestFirst(
    earlier(recorded, before),
    life(snapshot, 'fence', { every: 86_400 * 3, before, until: snapshot.gateway.memory.since }, (random, time) => {
      const position = snapshot.positionAt(time);
      const line = { fence: String(first.name), link_before: link, link_after: link, ...position, result: 'success', reported: true };
      const insideS = random.int(3600, 20_000);
      return [
        { time, event: 'enter', policy: String(first.on_enter ?? ''), ...line },
        { time: time + insideS, event: 'leave', policy: String(first.on_leave ?? ''), ...line },
      ];
    }),
  );
};
