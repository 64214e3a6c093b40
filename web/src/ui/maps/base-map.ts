import ScaleLine from 'ol/control/ScaleLine.js';
import type Feature from 'ol/Feature.js';
import GeoJSON from 'ol/format/GeoJSON.js';
import Graticule from 'ol/layer/Graticule.js';
import VectorLayer from 'ol/layer/Vector.js';
import VectorImageLayer from 'ol/layer/VectorImage.js';
import OlMap from 'ol/Map.js';
import 'ol/ol.css';
import VectorSource from 'ol/source/Vector.js';
import Fill from 'ol/style/Fill.js';
import Stroke from 'ol/style/Stroke.js';
import Style from 'ol/style/Style.js';
import View from 'ol/View.js';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import fineUrl from 'world-atlas/land-50m.json?url';
import coarseUrl from 'world-atlas/land-110m.json?url';
import './world-map.css';

/** From this zoom on, the coarse coastlines (20 KB instead of 170 KB) are visibly angular. */
const fineZoom = 4;
const lands = new Map<string, Promise<Feature[]>>();

/** World coastlines from our own server. Country borders are omitted because some are disputed. */
const readLand = async (url: string): Promise<Feature[]> => {
  const response = await fetch(url);
  const topology: Topology<{ land: GeometryCollection }> = await response.json();
  return new GeoJSON().readFeatures(feature(topology, topology.objects.land), { featureProjection: 'EPSG:3857' });
};

/** Each file is loaded once. After a failure the next map tries again; tracks and areas are drawn without coastlines. */
const landOf = (url: string) => {
  const land = lands.get(url) ?? readLand(url);
  lands.set(url, land);
  return land.catch(() => {
    lands.delete(url);
    return [];
  });
};

const untilFineZoom = (map: OlMap) =>
  new Promise<void>((done) => {
    const check = () => {
      if ((map.getView().getZoom() ?? 0) < fineZoom) return;
      map.un('moveend', check);
      done();
    };
    map.on('moveend', check);
    check();
  });

/** Coarse coastlines first, fine ones when the map is zoomed in. */
const drawCoast = async (coast: VectorSource, map: OlMap) => {
  coast.addFeatures(await landOf(coarseUrl));
  await untilFineZoom(map);
  const fine = await landOf(fineUrl);
  if (fine.length === 0) return;
  coast.clear(true);
  coast.addFeatures(fine);
};

/** A color of the current palette. */
export const colorOf = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export interface MapTexts {
  readonly zoomIn: string;
  readonly zoomOut: string;
}

/** The base map; `drawn` is the layer for content. */
export const makeBaseMap = (target: HTMLElement, texts: MapTexts) => {
  const coast = new VectorSource();
  const drawn = new VectorSource();
  const map = new OlMap({
    target,
    layers: [
      new VectorImageLayer({
        source: coast,
        style: new Style({
          fill: new Fill({ color: colorOf('--map-land') }),
          stroke: new Stroke({ color: colorOf('--map-coast'), width: 1 }),
        }),
      }),
      new Graticule({ strokeStyle: new Stroke({ color: colorOf('--map-grid'), width: 1 }), wrapX: true }),
      new VectorLayer({ source: drawn }),
    ],
    view: new View({ center: [0, 0], zoom: 1, minZoom: 1, maxZoom: 14 }),
  });
  map.addControl(new ScaleLine({ units: 'nautical' }));
  for (const [name, text] of [
    ['in', texts.zoomIn],
    ['out', texts.zoomOut],
  ] as const)
    for (const button of target.querySelectorAll(`.ol-zoom-${name}`)) {
      button.setAttribute('title', text);
      button.setAttribute('aria-label', text);
      // The map can be inside a form, so its buttons must not submit it.
      button.setAttribute('type', 'button');
    }
  void drawCoast(coast, map);
  return { map, drawn };
};
