/** Goes on past 180 degrees instead of around the world the other way, so that a way across the Pacific is one line. */
export const unwrapped = <P extends { readonly lon: number }>(places: readonly P[]): P[] => {
  let turn = 0;
  return places.map((place, i) => {
    const before = places[i - 1];
    if (before) turn += before.lon - place.lon > 180 ? 360 : before.lon - place.lon < -180 ? -360 : 0;
    return turn === 0 ? place : { ...place, lon: place.lon + turn };
  });
};
