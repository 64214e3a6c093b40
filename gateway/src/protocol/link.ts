import type { Network } from '@farlink/contract/protocol/network.ts';

interface LinkClass {
  /** Seconds between keep-alive packets; each costs about 200 bytes on the air. */
  readonly keepAlive: number;
  /** Seconds between two status messages. */
  readonly statusEvery: number;
  /** Largest message to the gateway. */
  readonly downBytes: number;
  /** Whether downloads, uploads, tunnels and captures can start. */
  readonly heavy: boolean;
}

const wide = { downBytes: 65_000, heavy: true };

export const linkClasses: Readonly<Record<Network, LinkClass>> = {
  unknown: { keepAlive: 300, statusEvery: 60, ...wide },
  '6d': { keepAlive: 300, statusEvery: 60, ...wide },
  lte: { keepAlive: 120, statusEvery: 60, ...wide },
  low_orbit: { keepAlive: 120, statusEvery: 60, ...wide },
  // Billed by volume and slow.
  l_band: { keepAlive: 1200, statusEvery: 1200, downBytes: 1024, heavy: false },
};

/** Bytes of a message on the air: MQTT 5 over TLS in one segment. */
export const bytesOnAir = (topic: string, body: string): number => topic.length + new TextEncoder().encode(body).length + 9 + 22 + 52;
