/** Longitudes continue past 180 degrees, so that a track across the Pacific is one line. */
export const unwrapped = <P extends { readonly lon: number }>(points: readonly P[]): P[] => {
  let shift = 0;
  return points.map((point, i) => {
    const before = points[i - 1];
    if (before) shift += before.lon - point.lon > 180 ? 360 : before.lon - point.lon < -180 ? -360 : 0;
    return shift === 0 ? point : { ...point, lon: point.lon + shift };
  });
};
