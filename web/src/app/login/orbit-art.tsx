/** The centre of the planet is far below the picture, so its edge is a flat horizon and every orbit is an arc. */
const centre = { x: 360, y: 1560 };
const ground = 900;

const at = (radius: number, degrees: number) => {
  const a = (degrees * Math.PI) / 180;
  return { x: centre.x + radius * Math.sin(a), y: centre.y - radius * Math.cos(a) };
};
const pointAt = (radius: number, degrees: number) => {
  const { x, y } = at(radius, degrees);
  return `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${degrees})`;
};

const orbits = [
  { radius: 985, seconds: 300, every: 18 },
  { radius: 1085, seconds: 420, every: 15 },
];
const highOrbit = 1215;

const stars = [
  [64, 330],
  [196, 402],
  [318, 266],
  [446, 330],
  [560, 244],
  [622, 396],
  [668, 140],
  [90, 468],
  [690, 300],
  [228, 320],
  [640, 60],
  [390, 400],
] as const;

/** A ship and its satellite. */
const links = [
  { ship: -13, satellite: -11.5 },
  { ship: 1.5, satellite: 0.5 },
  { ship: 14.5, satellite: 11 },
];

const Satellite = () => (
  <g>
    <rect x="-17" y="-3.5" width="10" height="7" rx="1" fill="#5f86d8" />
    <rect x="7" y="-3.5" width="10" height="7" rx="1" fill="#5f86d8" />
    <path d="M-7 0h14" stroke="#b9cdf8" strokeWidth="1.4" />
    <rect x="-4" y="-4.5" width="8" height="9" rx="1.6" fill="#eaf1ff" />
    <path d="M-3 7.5a3.6 3.6 0 0 0 6 0" stroke="#eaf1ff" strokeWidth="1.4" strokeLinecap="round" fill="none" />
  </g>
);

const Ship = () => (
  <g>
    <path d="M-30 1c8 3 52 3 60 0" stroke="#8fb3ff" strokeOpacity="0.35" strokeWidth="1.2" fill="none" />
    <path d="M-20-6h40l-6 8h-29z" fill="#eaf1ff" />
    <path d="M-13-13h13v7h-13zM2-10h9v4h-9z" fill="#9db9f2" />
    <path d="M-7-13v-6" stroke="#eaf1ff" strokeWidth="1.4" strokeLinecap="round" />
    <g className="art-signal" fill="none" stroke="#7fd4ff" strokeWidth="1.3" strokeLinecap="round">
      <path d="M-11-22a6 6 0 0 1 8 0" />
      <path d="M-14-26a10.5 10.5 0 0 1 14 0" />
    </g>
  </g>
);

const Beam = ({ ship, satellite }: (typeof links)[number]) => {
  const from = at(highOrbit - 10, satellite);
  const to = at(ground + 22, ship);
  return (
    <path
      className="art-beam"
      d={`M${from.x.toFixed(1)} ${from.y.toFixed(1)}L${to.x.toFixed(1)} ${to.y.toFixed(1)}`}
      stroke="#7fd4ff"
      strokeWidth="1.2"
      strokeDasharray="3 7"
    />
  );
};

export const OrbitArt = () => (
  <svg className="art" viewBox="0 0 720 900" preserveAspectRatio="xMidYMax slice" fill="none" aria-hidden="true">
    <defs>
      <linearGradient id="art-sky" x1="0" y1="0" x2="0" y2="1">
        <stop stopColor="#0a1533" />
        <stop offset="1" stopColor="#12306f" />
      </linearGradient>
      <linearGradient id="art-sea" x1="0" y1="0" x2="0" y2="1">
        <stop stopColor="#1f56b8" />
        <stop offset="0.24" stopColor="#0f3176" />
      </linearGradient>
      <radialGradient id="art-glow">
        <stop offset="0.94" stopColor="#5aa2ff" stopOpacity="0.35" />
        <stop offset="1" stopColor="#5aa2ff" stopOpacity="0" />
      </radialGradient>
    </defs>
    <rect width="720" height="900" fill="url(#art-sky)" />
    {stars.map(([x, y], i) => (
      <circle key={`${x}-${y}`} cx={x} cy={y} r={i % 3 === 0 ? 1.5 : 1} fill="#cfe0ff" opacity={i % 2 === 0 ? 0.7 : 0.4} />
    ))}
    <circle cx={centre.x} cy={centre.y} r={ground + 58} fill="url(#art-glow)" />
    <circle cx={centre.x} cy={centre.y} r={highOrbit} stroke="#8fb3ff" strokeOpacity="0.22" strokeDasharray="2 8" />
    {links.map((link) => (
      <Beam key={link.ship} {...link} />
    ))}
    {orbits.map(({ radius, seconds, every }) => (
      <g key={radius}>
        <circle cx={centre.x} cy={centre.y} r={radius} stroke="#8fb3ff" strokeOpacity="0.28" />
        <g className="art-orbit" style={{ transformOrigin: `${centre.x}px ${centre.y}px`, animationDuration: `${seconds}s` }}>
          {Array.from({ length: 360 / every }, (_, i) => i * every).map((degrees) => (
            <g key={degrees} transform={`${pointAt(radius, degrees)} scale(0.62)`}>
              <Satellite />
            </g>
          ))}
        </g>
      </g>
    ))}
    <circle cx={centre.x} cy={centre.y} r={ground} fill="url(#art-sea)" />
    {[60, 140, 240].map((depth) => (
      <circle key={depth} cx={centre.x} cy={centre.y} r={ground - depth} stroke="#bcd3ff" strokeOpacity="0.1" />
    ))}
    {[...new Set(links.map((link) => link.satellite))].map((degrees) => (
      <g key={degrees} transform={`${pointAt(highOrbit, degrees)} scale(1.25)`}>
        <Satellite />
      </g>
    ))}
    {links.map(({ ship }) => (
      <g key={ship} transform={pointAt(ground, ship)}>
        <Ship />
      </g>
    ))}
  </svg>
);
