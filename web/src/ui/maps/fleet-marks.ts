/** Something at a position: one device, or several that count as one mark. */
export interface MapMark {
  readonly lat: number;
  readonly lon: number;
  readonly state: string;
  readonly count: number;
  readonly id?: number | undefined;
  readonly name?: string | undefined;
}

export const markSum = (marks: readonly MapMark[]): number => marks.reduce((sum, { count }) => sum + count, 0);

interface Arc {
  readonly state: string;
  readonly from: number;
  readonly to: number;
}

/** Shares of the states as arcs in radians, clockwise from the top; states without marks have none. */
export const arcsOf = (marks: readonly MapMark[], states: readonly string[]): readonly Arc[] => {
  const sum = markSum(marks);
  let at = -Math.PI / 2;
  return states.flatMap((state) => {
    const share = markSum(marks.filter((mark) => mark.state === state)) / (sum || 1);
    if (share === 0) return [];
    const from = at;
    at += 2 * Math.PI * share;
    return [{ state, from, to: at }];
  });
};
