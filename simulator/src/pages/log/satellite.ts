import { lookAngles } from '../../services/antenna.ts';
import { degrees } from '../gateway-snapshot.ts';
import type { LogReader, LogRow } from '../row.ts';
import { dishOf, satelliteOf } from '../satellites.ts';
import { earlier, life, newestFirst } from '../timeline.ts';

const texts: Readonly<Record<string, string>> = {
  sample: 'periodic sample',
  in_network: 'network entered after acquisition',
  out_network: 'carrier lost',
  beam_switch: 'beam changed by coverage',
  blocked: 'line of sight blocked by the superstructure',
  cleared: 'line of sight is free again',
  opt_change: 'options file changed',
  tx_mute: 'transmit muted',
};

export const signalLog: LogReader = (snapshot, before) => {
  const line = (time: number, event: string, detail = texts[event] ?? ''): LogRow => {
    const { lat, lon, cog } = snapshot.gateway.world.positionBefore(Math.max(0, snapshot.now - time));
    const dish = dishOf(snapshot, 'global', time);
    const { azimuth, elevation } = lookAngles(lat, lon);
    return {
      time,
      sat_network: 'global',
      beam: satelliteOf(snapshot, 'global').beam,
      event,
      detail,
      modem_state: dish.modem,
      acu_state: dish.acu,
      rx_snr: dish.snr.toFixed(1),
      agc: dish.agc,
      tx_power: dish.modem === 'in_network' ? '21.5' : '0.0',
      azimuth: azimuth.toFixed(1),
      elevation: elevation.toFixed(1),
      heading: cog.toFixed(1),
      latitude: degrees(lat),
      longitude: degrees(lon),
    };
  };
  const events = snapshot.gateway.memory.of('satellite').map(({ t, doc }) => line(t, String(doc.event), String(doc.detail ?? '')));
  const links = snapshot.gateway.memory.of('link').flatMap(({ t, doc }) => {
    if (doc.from === '6d') return [line(t, 'out_network')];
    return doc.to === '6d' ? [line(t, 'in_network')] : [];
  });
  const days = life(snapshot, 'signal', { every: 600, before }, (random, time) => {
    const event = random.chance(0.92) ? 'sample' : random.pick(['blocked', 'cleared', 'out_network', 'in_network', 'beam_switch']);
    return [line(time, event)];
  });
  return newestFirst(earlier([...events, ...links], before), days);
};
