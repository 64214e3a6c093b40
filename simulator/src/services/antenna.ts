import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayInternals } from '../gateway-internals.ts';
import { html, pathOf, send, sendFile, table } from './site.ts';

const rad = (deg: number) => (deg * Math.PI) / 180;
const satellite = 110.5;

/** Pointing angles of a dish at this position to the geostationary satellite. */
export const lookAngles = (lat: number, lon: number) => {
  const d = rad(satellite - lon);
  const cos = Math.cos(rad(lat)) * Math.cos(d);
  const elevation = (Math.atan2(cos - 0.1512, Math.sqrt(Math.max(0, 1 - cos * cos))) * 180) / Math.PI;
  const azimuth = ((Math.atan2(Math.sin(d), -Math.sin(rad(lat)) * Math.cos(d)) * 180) / Math.PI + 360) % 360;
  return { azimuth, elevation };
};

export const antennaPage = (gateway: GatewayInternals, request: IncomingMessage, response: ServerResponse) => {
  const path = pathOf(request);
  if (sendFile(path, response)) return;
  if (path !== '/') return send(response, 404, html('Not found', [], '<p>Not found</p>'));
  const { position, links } = gateway.view();
  const { azimuth, elevation } = lookAngles(position.lat, position.lon);
  const dish = links.find((l) => l.i === '6d');
  const rows = [
    ['Latitude', position.lat.toFixed(4)],
    ['Longitude', position.lon.toFixed(4)],
    ['Heading', `${Math.round(position.cog)}°`],
    ['Satellite', `${satellite}° E`],
    ['Azimuth', `${azimuth.toFixed(1)}°`],
    ['Elevation', `${elevation.toFixed(1)}°`],
    ['Lock', dish?.s === 1 ? 'yes' : 'no'],
    ['Quality', dish?.q === undefined ? '-' : `${dish.q} %`],
  ];
  send(response, 200, html(`Antenna ${gateway.sn}`, [], `<h1>Antenna</h1>${table(rows)}`));
};
