/** Rings on the earth: closed by themselves, each edge takes the shorter way, over the date line too. */

/** Longitude and latitude, WGS-84. */
export type Point = readonly [lon: number, lat: number];
/** `n` is the number of the corner that it leaves. */
interface Edge {
  readonly a: Point;
  readonly b: Point;
  readonly n: number;
}

/** Degrees to the east on the shorter way. */
const eastward = (from: number, to: number) => ((((to - from + 540) % 360) + 360) % 360) - 180;

/** The edges as they lie on an endless map: longitudes run on past the date line. A corner that is given twice makes none. */
const edgesOf = (ring: readonly Point[]): Edge[] => {
  let [a] = ring;
  if (!a) return [];
  return [...ring.slice(1), a].flatMap(([lon, lat], n): Edge[] => {
    const from = a ?? [lon, lat];
    const b: Point = [from[0] + eastward(from[0], lon), lat];
    if (b[0] === from[0] && b[1] === from[1]) return [];
    a = b;
    return [{ a: from, b, n }];
  });
};

const turn = ([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point) => Math.sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax));

const isBetween = ([ax, ay]: Point, [bx, by]: Point, [x, y]: Point) =>
  x >= Math.min(ax, bx) && x <= Math.max(ax, bx) && y >= Math.min(ay, by) && y <= Math.max(ay, by);

const touch = ({ a, b }: Edge, { a: c, b: d }: Edge): boolean => {
  const [abc, abd, cda, cdb] = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)];
  if (abc !== abd && cda !== cdb) return true;
  return (
    (abc === 0 && isBetween(a, b, c)) ||
    (abd === 0 && isBetween(a, b, d)) ||
    (cda === 0 && isBetween(c, d, a)) ||
    (cdb === 0 && isBetween(c, d, b))
  );
};

/** Neighbours share a corner; they lie on each other where the way goes straight back. */
const goesBack = ({ a, b }: Edge, { a: c, b: d }: Edge): boolean => {
  const [x, y] = [d[0] - c[0], d[1] - c[1]];
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  return dx * y === dy * x && dx * x + dy * y < 0;
};

const moved = ({ a, b, n }: Edge, east: number): Edge => ({ a: [a[0] + east, a[1]], b: [b[0] + east, b[1]], n });

/** Two edges, by the corners that they leave, that cross or lie on each other; undefined: none do. */
export const crossingOf = (ring: readonly Point[]): readonly [number, number] | undefined => {
  const edges = edgesOf(ring);
  if (edges.length < 3) return [0, 1];
  for (const [i, one] of edges.entries())
    for (const [k, other] of edges.slice(i + 1).entries()) {
      const closes = i === 0 && k === edges.length - 2;
      const isBad =
        k === 0 ? goesBack(one, other) : closes ? goesBack(other, one) : [-360, 0, 360].some((round) => touch(one, moved(other, round)));
      if (isBad) return [one.n, other.n];
    }
  return undefined;
};

/** Counts how often a line to the east crosses the edge; a point is where it is, however often one goes round. */
export const isInsideRing = (ring: readonly Point[], [lon, lat]: Point): boolean => {
  const edges = edgesOf(ring);
  return [-360, 0, 360].some((round) => {
    let inside = false;
    for (const { a, b } of edges)
      if (a[1] > lat !== b[1] > lat && lon + round < ((b[0] - a[0]) * (lat - a[1])) / (b[1] - a[1]) + a[0]) inside = !inside;
    return inside;
  });
};
