export type LatLon = readonly [lat: number, lon: number];

/** Last ports of offline ships, with the approach route from the sea, port first. */
export const ports: readonly { readonly port: LatLon; readonly from: readonly LatLon[] }[] = [
  // Hong Kong, from the South China Sea
  {
    port: [22.28, 114.17],
    from: [
      [22.1, 114.3],
      [18, 112.8],
      [12, 110.6],
      [7.5, 108],
    ],
  },
  // Yangshan, from the Osumi Strait
  {
    port: [30.62, 122.07],
    from: [
      [30.7, 122.9],
      [30.6, 128],
      [30.8, 131.3],
      [33, 136.6],
    ],
  },
  // Singapore, from the South China Sea
  {
    port: [1.26, 103.75],
    from: [
      [1.3, 104.4],
      [3.5, 105.6],
      [7.5, 108],
      [12, 110.6],
    ],
  },
  // Dubai, through Hormuz from the Arabian Sea
  {
    port: [25.02, 55.06],
    from: [
      [25.4, 54.9],
      [26.3, 55.8],
      [26.6, 56.5],
      [26, 56.9],
      [24.6, 58.6],
      [21, 62],
    ],
  },
  // Busan, from the East China Sea
  {
    port: [35.1, 129.04],
    from: [
      [34.7, 129.05],
      [33.4, 127.9],
      [31.5, 126],
      [31, 122.9],
    ],
  },
];

/** Fixed sites: Namtso, Hoh Xil, Ngari, Medog. */
export const sites: readonly LatLon[] = [
  [30.72, 90.58],
  [35.3, 93.1],
  [32.5, 80.1],
  [29.33, 95.33],
];
