/** Realistic sea routes between ports: latitude and longitude of the waypoints. */
export type SeaRoute = readonly (readonly [lat: number, lon: number])[];

/** `31,122.6 29,122.9`: a list of waypoints. */
const seaRoute = (points: string): SeaRoute =>
  points.split(' ').map((point) => {
    const [lat = 0, lon = 0] = point.split(',').map(Number);
    return [lat, lon];
  });

export const seaRoutes = {
  // Shanghai, Taiwan Strait, Hong Kong
  taiwan_strait: seaRoute('31,122.6 29,122.9 26.4,120.9 24.2,119.2 22.6,117 22.1,114.3'),
  // Hong Kong, South China Sea, Singapore
  south_china_sea: seaRoute('22.1,114.3 18,112.8 12,110.6 7.5,108 3.5,105.6 1.3,104.4'),
  // Singapore, Malacca, Colombo
  malacca: seaRoute('1.1,103.6 2.2,101.8 3.9,99.9 6,96.5 5.8,90 5.6,81.5 5.6,80 6.8,79.6'),
  // Colombo, Arabian Sea, the Gulf
  arabian_sea: seaRoute('6.8,79.6 7.6,77 14,69 21,62 24.6,58.6 26,56.9 26.6,56.5 26.3,55.8 25.4,54.9'),
  // Gulf of Aden, Red Sea, Suez
  red_sea: seaRoute('12.2,48 11.9,45 12.6,43.3 15.5,41.5 20.5,38.5 25.5,35.3 27.6,34.1 28.5,33.1 29.7,32.5'),
  // Port Said, Mediterranean, Gibraltar
  mediterranean: seaRoute('31.6,32.4 33.6,28 34.5,22 36.2,15 37.5,10.8 37.4,4 36.2,-2 35.9,-5.6'),
  // Gibraltar, Biscay, Rotterdam
  biscay: seaRoute('35.9,-5.9 36.6,-9.8 43.4,-10.1 48.7,-6 50.1,-1.5 51,1.5 52,3.7'),
  // Shanghai, Osumi, Tokyo
  east_china_sea: seaRoute('31,122.6 30.6,128 30.8,131.3 33,136.6 34.4,139.1 35,139.7'),
  // Yokohama, North Pacific, Los Angeles
  north_pacific: seaRoute('34.8,140.2 41,155 46,172 47.5,-170 44.5,-145 38,-127 33.6,-118.6'),
  // Sydney, Tasman Sea, Auckland
  tasman_sea: seaRoute('-33.9,151.5 -34.2,160 -34,173.2 -35,174.9 -36.6,175.1'),
  // Zhoushan, squid grounds of the North-West Pacific
  squid_grounds: seaRoute('29.9,122.8 29.6,130 31,134 36,145 41,154 43,163'),
  // Santos, South Atlantic, Cape Town
  south_atlantic: seaRoute('-24.2,-46.1 -28,-30 -32,-8 -34.2,10 -34,18.2'),
  // Reykjavik, Norwegian Sea, Svalbard
  norwegian_sea: seaRoute('64.2,-22.6 63.6,-23.2 63.1,-20 63.6,-14 67,-2 72,9 77.9,12.8'),
} as const;

export type SeaRouteName = keyof typeof seaRoutes;
export const seaRouteNames = [
  'taiwan_strait',
  'south_china_sea',
  'malacca',
  'arabian_sea',
  'red_sea',
  'mediterranean',
  'biscay',
  'east_china_sea',
  'north_pacific',
  'tasman_sea',
  'squid_grounds',
  'south_atlantic',
  'norwegian_sea',
] as const satisfies readonly SeaRouteName[];
