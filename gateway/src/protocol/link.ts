import type { Network } from '@farlink/contract/protocol/network.ts';

interface LinkClass {
  /** Seconds between keep-alive packets; each costs about 200 bytes on the air. */
  readonly keepAlive: number;
  /** Seconds between two status messages. */
  readonly statusInterval: number;
  /** Largest message to the gateway. */
  readonly downBytes: number;
  /** Whether downloads, uploads, tunnels and captures can start. */
  readonly allowsHeavy: boolean;
}

const broadband = { downBytes: 65_000, allowsHeavy: true };

export const linkClasses: Readonly<Record<Network, LinkClass>> = {
  unknown: { keepAlive: 300, statusInterval: 60, ...broadband },
  '6d': { keepAlive: 300, statusInterval: 60, ...broadband },
  lte: { keepAlive: 120, statusInterval: 60, ...broadband },
  low_orbit: { keepAlive: 120, statusInterval: 60, ...broadband },
  // Billed by volume and slow.
  l_band: { keepAlive: 1200, statusInterval: 1200, downBytes: 1024, allowsHeavy: false },
};

/** Bytes of a message on the air: MQTT 5 over TLS in one segment. */
export const bytesOnAir = (topic: string, body: string): number => topic.length + new TextEncoder().encode(body).length + 9 + 22 + 52;
