import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { GatewayInternals } from '../gateway-internals.ts';
import type { GatewaySnapshot } from './gateway-snapshot.ts';

export type SatNetwork = 'global' | 'second';

/** Manual changes of modem and antenna. They last until the next change or their end time. */
export interface ManualState {
  beam: string | undefined;
  isMuted: boolean;
  /** End of the restart of the modem, and of the antenna. */
  modemUntil: number;
  acuUntil: number;
}

const manualStates = new WeakMap<GatewayInternals, ManualState>();

export const manualStateOf = (gateway: GatewayInternals): ManualState => {
  const found = manualStates.get(gateway) ?? { beam: undefined, isMuted: false, modemUntil: 0, acuUntil: 0 };
  manualStates.set(gateway, found);
  return found;
};

const beamFor = (snapshot: GatewaySnapshot, network: SatNetwork, lon: number): JsonObject | undefined => {
  const beams = snapshot.rows('satellite_route_beam').filter((row) => row.sat_network === network);
  const distance = (row: JsonObject) => Math.abs(Number(row.orbital_longitude) - lon);
  const chosen = manualStateOf(snapshot.gateway).beam;
  return beams.find((row) => String(row.beam_id) === chosen) ?? beams.toSorted((a, b) => distance(a) - distance(b))[0];
};

/** The satellite in use: from the beam table, or the default of the modem. */
export const satelliteOf = (snapshot: GatewaySnapshot, network: SatNetwork) => {
  const beam = beamFor(snapshot, network, snapshot.gateway.view().position.lon);
  const usual = network === 'global' ? { satellite: 'APSTAR-6D', slot: '134.0' } : { satellite: 'ChinaSat 16', slot: '110.5' };
  return beam
    ? { beam: String(beam.beam_id), satellite: String(beam.satellite), slot: String(beam.orbital_longitude) }
    : { beam: network === 'global' ? '601' : '1601', ...usual };
};

/** State of modem and antenna at `time`. */
export const dishOf = (snapshot: GatewaySnapshot, network: SatNetwork, time: number) => {
  const { gateway } = snapshot;
  const [link] = gateway.view().links.filter(({ i }) => i === (network === 'global' ? '6d' : 'low_orbit'));
  const { isMuted, modemUntil, acuUntil } = manualStateOf(gateway);
  const random = gateway.fork(`dish ${network} ${Math.floor(time / 60)}`);
  const isNow = time >= snapshot.now - 60;
  const isOn = isNow ? link?.s === 1 : random.chance(0.985);
  const modem = isNow && isMuted ? 'tx_muted' : isNow && modemUntil > snapshot.now ? 'booting' : isOn ? 'in_network' : 'searching';
  const acu =
    isNow && acuUntil > snapshot.now ? 'initializing' : isOn || modem === 'tx_muted' ? 'tracking' : random.pick(['searching', 'blocked']);
  const snr = acu === 'tracking' ? 6 + ((link?.q ?? 90) / 100) * 6 + random.between(-0.6, 0.6) : random.between(0, 1.5);
  return { modem, acu, snr, agc: Math.round(acu === 'tracking' ? 1400 + snr * 60 : random.int(300, 500)), antenna: 'a' } as const;
};
