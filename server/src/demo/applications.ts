/** Applications of the demo fleet, as gateways report them. */

export interface Sitting {
  readonly acc: string;
  readonly u: number;
  readonly d: number;
}

/** Mixes of applications with their share of a sitting; 2 % are not recognised. */
const mixes: readonly (readonly (readonly [app: string, share: number])[])[] = [
  [
    ['91.124', 0.46],
    ['91.197', 0.27],
    ['91.142', 0.14],
    ['5', 0.01],
    ['91', 0.1],
  ],
  [
    ['91.197', 0.52],
    ['188.124', 0.2],
    ['91.185', 0.11],
    ['7', 0.15],
  ],
  [
    ['91.142', 0.4],
    ['91.119', 0.33],
    ['188', 0.25],
  ],
];
const sessionBytes = 4_000_000;

const part = (n: number, share: number) => Math.floor(n * share);

/** Rows of the stream `dpi`. The mix follows from the number of the account, so that accounts have habits. */
export const dpiRows = (sittings: readonly Sitting[]) =>
  sittings.flatMap(({ acc, u, d }) => {
    const mix = mixes[[...acc].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % mixes.length] ?? [];
    return mix.map(([app, share]) => ({ acc, app, u: part(u, share), d: part(d, share), n: 1 + part(u + d, share / sessionBytes) }));
  });

/** Rows of the streams `mgt` and `mdpi` that divide the gateway's own traffic. */
export const ownRows = ({ u, d }: { readonly u: number; readonly d: number }) => {
  const services = [
    { svc: 'mqtt', app: '91.222', share: 0.7 },
    { svc: 'file', app: '91', share: 0.25 },
    { svc: 'ntp', app: '9', share: 0.01 },
  ].map(({ svc, app, share }) => ({ svc, app, u: part(u, share), d: part(d, share) }));
  const rest = services.reduce((left, row) => ({ u: left.u - row.u, d: left.d - row.d }), { u, d });
  return {
    mgt: [...services.map(({ svc, u: up, d: down }) => ({ svc, i: '6d', u: up, d: down })), { svc: 'other', i: '6d', ...rest }],
    mdpi: services.map(({ app, u: up, d: down }) => ({ app, i: '6d', u: up, d: down, n: 1 + part(up + down, 1 / sessionBytes) })),
  };
};
