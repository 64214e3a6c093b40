import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { Scene } from '../scene.ts';
import type { Doer } from './deed.ts';

type Verdict = readonly [state: 'ok' | 'warning' | 'fail', detail: string];
type Check = (scene: Scene) => Verdict;

const checks: Readonly<Record<string, Check>> = {
  hardware: (scene) => {
    const { cpu } = scene.box.world.load;
    const warmth = scene.lasting('warmth').int(38, 46) + Math.round(cpu / 12);
    return [warmth > 60 ? 'warning' : 'ok', `CPU ${cpu} %, board ${warmth} °C, fans turning`];
  },
  disk: (scene) => {
    const used = scene.lasting('disk').int(18, 55);
    return [used > 85 ? 'warning' : 'ok', `${used} % used, SMART passed`];
  },
  links: (scene) => {
    const up = scene.wans.filter((wan) => wan.now?.s === 1);
    const bad = scene.wans.filter((wan) => wan.now?.s === 2);
    const words = scene.wans.map((wan) => `${wan.name} ${wan.now?.s === 1 ? `${wan.now.r ?? 0} ms` : 'down'}`).join(', ');
    return [up.length === 0 ? 'fail' : bad.length > 0 ? 'warning' : 'ok', words || 'no uplink configured'];
  },
  satellite: (scene) => {
    const dish = scene.box.view().links.find(({ i }) => i === '6d');
    return dish?.s === 1 ? ['ok', `in network, quality ${dish.q ?? 0} %`] : ['fail', 'modem is not in the network'];
  },
  position: (scene) => ['ok', `fix 3D, ${scene.place.latitude}, ${scene.place.longitude}, heading valid`],
  dns: (scene) => (scene.active ? ['ok', 'www.baidu.com resolved by 223.5.5.5'] : ['fail', 'no server could be reached']),
  dhcp: (scene) => ['ok', `${scene.hosts.length} leases, no conflict, no foreign server`],
  loop: () => ['ok', 'no loop within 5 s'],
  aps: (scene) => {
    const { aps } = scene.box.view();
    const off = aps.filter((ap) => ap.s !== 1);
    return off.length === 0 ? ['ok', `${aps.length} of ${aps.length} up`] : ['warning', `offline: ${off.map((ap) => ap.name).join(', ')}`];
  },
  platform: (scene) => (scene.box.state === 'online' ? ['ok', 'connected'] : ['fail', 'not connected']),
  time: () => ['ok', 'offset 12 ms'],
};

export const checkHealth: Doer = async (deed) => {
  const wanted = Object.entries(checks).filter(([name]) => deed.flag(name));
  const found: JsonObject[] = [];
  for (const [i, [item, check]] of wanted.entries()) {
    await deed.wait(item === 'loop' ? 5 : 1.5);
    const [state, detail] = check(deed.scene);
    found.push({ item, state, detail });
    deed.say(`[${state.toUpperCase().padEnd(7)}] ${item}: ${detail}`, ((i + 1) / wanted.length) * 100);
  }
  const count = (state: string) => found.filter((one) => one.state === state).length;
  deed.say(`${found.length} checks: ${count('ok')} ok, ${count('warning')} warnings, ${count('fail')} failed`);
  return { ok: count('ok'), warnings: count('warning'), failed: count('fail'), items: found };
};
