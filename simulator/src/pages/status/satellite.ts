import { lookAngles } from '../../services/antenna.ts';
import { degrees, type GatewaySnapshot } from '../gateway-snapshot.ts';
import type { Row, StatusReader } from '../row.ts';
import { dishOf, satelliteOf } from '../satellites.ts';
import { optStates } from './overview.ts';

const networksOf = (snapshot: GatewaySnapshot): ('global' | 'second')[] => {
  const modems = snapshot.rows('satellite_route_modem').map((row) => row.sat_network);
  return modems.includes('second') ? ['global', 'second'] : ['global'];
};

export const satelliteOverview: StatusReader = (snapshot) =>
  networksOf(snapshot).map((network): Row => {
    const { position, uptime } = snapshot.gateway.view();
    const { beam, satellite, slot } = satelliteOf(snapshot, network);
    const dish = dishOf(snapshot, network, snapshot.now);
    const { azimuth, elevation } = lookAngles(position.lat, position.lon);
    const isIn = dish.modem === 'in_network';
    const opt = snapshot.rows('satellite_route_opt').find((row) => row.sat_network === network);
    return {
      sat_network: network,
      satellite,
      orbital_longitude: slot,
      beam,
      opt_status: optStates[snapshot.gateway.opt],
      opt_version: String(opt?.version ?? opt?.name ?? `OPT-${network}-2026.07`),
      modem_state: dish.modem,
      rx_snr: dish.snr.toFixed(1),
      rx_power: (-62 + dish.snr / 2).toFixed(1),
      tx_power: isIn ? (18 + snapshot.lasting('buc').between(0, 6)).toFixed(1) : '0.0',
      tx_allowed: isIn,
      antenna: dish.antenna,
      acu_state: dish.acu,
      agc: dish.agc,
      azimuth: azimuth.toFixed(1),
      relative_azimuth: ((azimuth - position.cog + 360) % 360).toFixed(1),
      elevation: elevation.toFixed(1),
      skew: (Math.sin((position.lon * Math.PI) / 90) * 24).toFixed(1),
      heading: position.cog.toFixed(1),
      latitude: degrees(position.lat),
      longitude: degrees(position.lon),
      network_time: isIn ? Math.min(uptime, snapshot.now - snapshot.gateway.memory.since + 3600) : 0,
      updated_at: snapshot.now,
    };
  });
