/** A row of the list on the screen. */
export interface RowBox {
  readonly top: number;
  readonly height: number;
}

/** Index that the dragged row gets if it is dropped at `y`: after each other row whose middle is above. */
export const dropIndex = (rows: readonly RowBox[], from: number, y: number): number =>
  rows.filter(({ top, height }, i) => i !== from && top + height / 2 < y).length;

/** Pixels to scroll per move when the pointer is near an edge. */
export const edgeScroll = ({ top, height }: RowBox, y: number, edge = 28, step = 12): number => {
  if (y < top + edge) return -step;
  return y > top + height - edge ? step : 0;
};
