import { lookAngles } from '../../services/antenna.ts';
import type { LogReader, LogRow } from '../row.ts';
import { dishOf, satelliteOf } from '../satellites.ts';
import { degrees } from '../scene.ts';
import { earlier, life, newestFirst } from '../timeline.ts';

const words: Readonly<Record<string, string>> = {
  sample: 'periodic sample',
  in_network: 'network entered after acquisition',
  out_network: 'carrier lost',
  beam_switch: 'beam changed by coverage',
  blocked: 'line of sight blocked by the superstructure',
  cleared: 'line of sight is free again',
  opt_change: 'options file changed',
  tx_mute: 'transmit muted',
};

export const signalLog: LogReader = (scene, before) => {
  const line = (time: number, event: string, detail = words[event] ?? ''): LogRow => {
    const { lat, lon, cog } = scene.box.world.positionBefore(Math.max(0, scene.now - time));
    const dish = dishOf(scene, 'global', time);
    const { azimuth, elevation } = lookAngles(lat, lon);
    return {
      ...{ time, sat_network: 'global', beam: satelliteOf(scene, 'global').beam, event, detail },
      ...{ modem_state: dish.modem, acu_state: dish.acu, rx_snr: dish.snr.toFixed(1), agc: dish.agc },
      tx_power: dish.modem === 'in_network' ? '21.5' : '0.0',
      azimuth: azimuth.toFixed(1),
      elevation: elevation.toFixed(1),
      heading: cog.toFixed(1),
      latitude: degrees(lat),
      longitude: degrees(lon),
    };
  };
  const told = scene.box.memory.of('satellite').map(({ t, doc }) => line(t, String(doc.event), String(doc.detail ?? '')));
  const links = scene.box.memory.of('link').flatMap(({ t, doc }) => {
    if (doc.from === '6d') return [line(t, 'out_network')];
    return doc.to === '6d' ? [line(t, 'in_network')] : [];
  });
  const days = life(scene, 'signal', { every: 600, before }, (random, time) => {
    const event = random.chance(0.92) ? 'sample' : random.pick(['blocked', 'cleared', 'out_network', 'in_network', 'beam_switch']);
    return [line(time, event)];
  });
  return newestFirst(earlier([...told, ...links], before), days);
};
