import type { Random } from '@farlink/contract/kit/random.ts';
import type { OwnFlow, OwnService } from './gateway-traffic.ts';
import type { Bytes } from './quota.ts';

/** Version of the protocol map that gives applications their ids: nDPI 4.2. */
export const protocolMapVersion = '4.2';

/** Traffic of an application. */
export interface AppFlow extends Bytes {
  readonly app: string;
  /** Sessions that began. */
  readonly n: number;
}

/** Applications of people on board with their share of the traffic, by carrier and application of the protocol map. */
const userApps = [
  ['91.197', 22],
  ['91.10160', 18],
  ['188.124', 14],
  ['91.10181', 12],
  ['10120', 9],
  ['91.10600', 8],
  ['91.10800', 7],
  ['7.147', 6],
  ['91.10420', 6],
  ['51', 5],
  ['10300', 4],
  ['5', 2],
  ['37', 1],
] as const;
const allWeights = userApps.reduce((sum, [, weight]) => sum + weight, 0);

/** Traffic that is not recognised. */
const unknownApp = '0';
const unknownShare = 0.01;
const bytesOfSession = 2_000_000;

const ownApps: Readonly<Record<OwnService, string>> = {
  mqtt: '91.222',
  file: '91',
  remote: '92',
  radius: '146',
  ntp: '9',
  vpn: '206',
  update: '91',
  release: '7',
  other: unknownApp,
};

const randomApp = (random: Random): string => {
  let left = random.next() * allWeights;
  for (const [app, weight] of userApps) {
    left -= weight;
    if (left < 0) return app;
  }
  return unknownApp;
};

const sessionsOf = ({ u, d }: Bytes) => 1 + Math.floor((u + d) / bytesOfSession);

/** Divides the traffic of a user among a few applications, to the byte. */
export const appsOf = (random: Random, { u, d }: Bytes): AppFlow[] => {
  if (u + d === 0) return [];
  const first = random.between(0.6, 0.95);
  const shares = [
    [randomApp(random), first],
    [randomApp(random), 1 - first - unknownShare],
  ] as const;
  const flows = shares.map(([app, share]) => ({ app, u: Math.floor(u * share), d: Math.floor(d * share) }));
  const rest = flows.reduce((left, flow) => ({ u: left.u - flow.u, d: left.d - flow.d }), { u, d });
  return [...flows, { app: unknownApp, ...rest }].filter((flow) => flow.u + flow.d > 0).map((flow) => ({ ...flow, n: sessionsOf(flow) }));
};

/** The application of a service of the gateway. */
export const ownAppOf = ({ svc, u, d }: OwnFlow): AppFlow => ({ app: ownApps[svc], u, d, n: sessionsOf({ u, d }) });
