/** Polygons on the earth, closed implicitly. Each edge takes the shorter way, also across the date line. */

/** Longitude and latitude, WGS-84. */
export type Point = readonly [lon: number, lat: number];
/** From a to b; `n` is the index of the start corner. */
interface Edge {
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
  readonly n: number;
}

/** Degrees eastward on the shorter way. */
const eastward = (from: number, to: number) => ((((to - from + 540) % 360) + 360) % 360) - 180;

/** The edges on an unbounded map: longitudes continue past the date line. A repeated corner creates no edge. */
const edgesOf = (ring: readonly Point[]): Edge[] => {
  const [first] = ring;
  if (!first) return [];
  let [ax, ay] = first;
  return [...ring.slice(1), first].flatMap(([lon, by], n): Edge[] => {
    const bx = ax + eastward(ax, lon);
    if (bx === ax && by === ay) return [];
    const edge = { ax, ay, bx, by, n };
    [ax, ay] = [bx, by];
    return [edge];
  });
};

/** Side of an edge on which a point lies: 1 left, -1 right, 0 on its line. */
const sideOf = ({ ax, ay, bx, by }: Edge, x: number, y: number) => Math.sign((bx - ax) * (y - ay) - (by - ay) * (x - ax));

const isBetween = ({ ax, ay, bx, by }: Edge, x: number, y: number) =>
  x >= Math.min(ax, bx) && x <= Math.max(ax, bx) && y >= Math.min(ay, by) && y <= Math.max(ay, by);

/** A cheap bounding-box test first, because most edges are far apart. */
const boxesOverlap = (one: Edge, { ax, ay, bx, by }: Edge): boolean =>
  Math.min(one.ay, one.by) <= Math.max(ay, by) &&
  Math.min(ay, by) <= Math.max(one.ay, one.by) &&
  Math.min(one.ax, one.bx) <= Math.max(ax, bx) &&
  Math.min(ax, bx) <= Math.max(one.ax, one.bx);

/** Uses numbers only, for speed: 256 rings of 200 corners have five million pairs. */
const edgesTouch = (one: Edge, other: Edge): boolean => {
  if (!boxesOverlap(one, other)) return false;
  const otherA = sideOf(one, other.ax, other.ay);
  const otherB = sideOf(one, other.bx, other.by);
  const oneA = sideOf(other, one.ax, one.ay);
  const oneB = sideOf(other, one.bx, one.by);
  if (otherA !== otherB && oneA !== oneB) return true;
  return (
    (otherA === 0 && isBetween(one, other.ax, other.ay)) ||
    (otherB === 0 && isBetween(one, other.bx, other.by)) ||
    (oneA === 0 && isBetween(other, one.ax, one.ay)) ||
    (oneB === 0 && isBetween(other, one.bx, one.by))
  );
};

/** Adjacent edges share a corner; they overlap only if the second runs straight back. */
const runsBack = (one: Edge, other: Edge): boolean => {
  const x = other.bx - other.ax;
  const y = other.by - other.ay;
  const dx = one.bx - one.ax;
  const dy = one.by - one.ay;
  return dx * y === dy * x && dx * x + dy * y < 0;
};

const shifts = [-360, 0, 360] as const;

/** The edges shifted by 360 degrees to both sides. A narrow ring needs no copies. */
const copiesOf = (edges: readonly Edge[]): readonly (readonly Edge[])[] => {
  const west = Math.min(...edges.map(({ ax }) => ax));
  const east = Math.max(...edges.map(({ ax }) => ax));
  if (east - west < 180) return [edges];
  return shifts.map((shift) => edges.map((edge) => ({ ...edge, ax: edge.ax + shift, bx: edge.bx + shift })));
};

/** Whether edge k, or a copy of it, touches edge i (i < k). */
const crossesEdge = (edges: readonly Edge[], copies: readonly (readonly Edge[])[], i: number, k: number): boolean => {
  const one = edges[i];
  const other = edges[k];
  if (!one || !other) return false;
  if (k === i + 1) return runsBack(one, other);
  if (i === 0 && k === edges.length - 1) return runsBack(other, one);
  for (const copy of copies) {
    const moved = copy[k];
    if (moved && edgesTouch(one, moved)) return true;
  }
  return false;
};

/** Two edges, by their start corners, that cross or overlap; undefined: none. */
export const crossingOf = (ring: readonly Point[]): readonly [number, number] | undefined => {
  const edges = edgesOf(ring);
  if (edges.length < 3) return [0, 1];
  const copies = copiesOf(edges);
  for (let i = 0; i < edges.length; i++)
    for (let k = i + 1; k < edges.length; k++) if (crossesEdge(edges, copies, i, k)) return [edges[i]?.n ?? 0, edges[k]?.n ?? 0];
  return undefined;
};

/** Ray casting to the east, repeated for longitudes shifted by 360 degrees. */
export const isInsideRing = (ring: readonly Point[], [lon, lat]: Point): boolean => {
  const edges = edgesOf(ring);
  return shifts.some((shift) => {
    let inside = false;
    for (const { ax, ay, bx, by } of edges)
      if (ay > lat !== by > lat && lon + shift < ((bx - ax) * (lat - ay)) / (by - ay) + ax) inside = !inside;
    return inside;
  });
};
