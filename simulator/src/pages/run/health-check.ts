import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { GatewaySnapshot } from '../gateway-snapshot.ts';
import type { RunHandler } from './action-run.ts';

type CheckResult = readonly [state: 'ok' | 'warning' | 'fail', detail: string];
type Check = (snapshot: GatewaySnapshot) => CheckResult;

const checks: Readonly<Record<string, Check>> = {
  hardware: (snapshot) => {
    const { cpu } = snapshot.gateway.world.load;
    const warmth = snapshot.lasting('warmth').int(38, 46) + Math.round(cpu / 12);
    return [warmth > 60 ? 'warning' : 'ok', `CPU ${cpu} %, board ${warmth} °C, fans turning`];
  },
  disk: (snapshot) => {
    const used = snapshot.lasting('disk').int(18, 55);
    return [used > 85 ? 'warning' : 'ok', `${used} % used, SMART passed`];
  },
  links: (snapshot) => {
    const up = snapshot.wans.filter((wan) => wan.now?.s === 1);
    const down = snapshot.wans.filter((wan) => wan.now?.s === 2);
    const summary = snapshot.wans.map((wan) => `${wan.name} ${wan.now?.s === 1 ? `${wan.now.r ?? 0} ms` : 'down'}`).join(', ');
    return [up.length === 0 ? 'fail' : down.length > 0 ? 'warning' : 'ok', summary || 'no uplink configured'];
  },
  satellite: (snapshot) => {
    const dish = snapshot.gateway.view().links.find(({ i }) => i === '6d');
    return dish?.s === 1 ? ['ok', `in network, quality ${dish.q ?? 0} %`] : ['fail', 'modem is not in the network'];
  },
  position: (snapshot) => ['ok', `fix 3D, ${snapshot.position.latitude}, ${snapshot.position.longitude}, heading valid`],
  dns: (snapshot) => (snapshot.active ? ['ok', 'www.baidu.com resolved by 223.5.5.5'] : ['fail', 'no server could be reached']),
  dhcp: (snapshot) => ['ok', `${snapshot.hosts.length} leases, no conflict, no foreign server`],
  loop: () => ['ok', 'no loop within 5 s'],
  aps: (snapshot) => {
    const { aps } = snapshot.gateway.view();
    const off = aps.filter((ap) => ap.s !== 1);
    return off.length === 0 ? ['ok', `${aps.length} of ${aps.length} up`] : ['warning', `offline: ${off.map((ap) => ap.name).join(', ')}`];
  },
  platform: (snapshot) => (snapshot.gateway.state === 'online' ? ['ok', 'connected'] : ['fail', 'not connected']),
  time: () => ['ok', 'offset 12 ms'],
};

export const checkHealth: RunHandler = async (run) => {
  const selected = Object.entries(checks).filter(([name]) => run.flag(name));
  const found: JsonObject[] = [];
  for (const [i, [item, check]] of selected.entries()) {
    await run.wait(item === 'loop' ? 5 : 1.5);
    const [state, detail] = check(run.snapshot);
    found.push({ item, state, detail });
    run.print(`[${state.toUpperCase().padEnd(7)}] ${item}: ${detail}`, ((i + 1) / selected.length) * 100);
  }
  const count = (state: string) => found.filter((one) => one.state === state).length;
  run.print(`${found.length} checks: ${count('ok')} ok, ${count('warning')} warnings, ${count('fail')} failed`);
  return { ok: count('ok'), warnings: count('warning'), failed: count('fail'), items: found };
};
