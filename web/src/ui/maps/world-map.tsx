import Feature from 'ol/Feature.js';
import LineString from 'ol/geom/LineString.js';
import Point from 'ol/geom/Point.js';
import { fromLonLat } from 'ol/proj.js';
import Circle from 'ol/style/Circle.js';
import Fill from 'ol/style/Fill.js';
import RegularShape from 'ol/style/RegularShape.js';
import Stroke from 'ol/style/Stroke.js';
import Style from 'ol/style/Style.js';
import { useEffect, useRef } from 'react';
import { useDark } from '../theme/theme.ts';
import { colorOf, type MapTexts, makeBaseMap } from './base-map.ts';
import { unwrapped } from './unwrap-track.ts';

export interface MapPosition {
  readonly lat: number;
  readonly lon: number;
}

interface WorldMapProps {
  readonly label: string;
  readonly zoomIn: string;
  readonly zoomOut: string;
  /** Sorted by time. */
  readonly track: readonly MapPosition[];
  readonly position: MapPosition | undefined;
  /** Degrees from north, if it moves. */
  readonly heading: number | undefined;
  /** Whether this is the current position or the last known one. */
  readonly isLive: boolean;
  /** A new range fits the map again, even after a manual move. */
  readonly range: string;
}

const shapeOf = (heading: number | undefined, isLive: boolean) => {
  const style = {
    fill: new Fill({ color: isLive ? colorOf('--accent') : colorOf('--faint') }),
    stroke: new Stroke({ color: colorOf('--surface'), width: 2 }),
  };
  if (heading === undefined) return new Circle({ radius: 7, ...style });
  return new RegularShape({ points: 3, radius: 11, rotation: (heading * Math.PI) / 180, scale: [0.75, 1.15], ...style });
};

const makeMap = (target: HTMLElement, texts: MapTexts) => {
  const { map, drawn } = makeBaseMap(target, texts);
  const view = { map, moving: drawn, shown: '', isMoved: false };
  for (const event of ['pointerdown', 'wheel', 'keydown'] as const)
    target.addEventListener(event, () => (view.isMoved = true), { passive: true });
  return view;
};

/** A world map without external services. It follows the position until the operator moves it. */
const WorldMap = ({ label, zoomIn, zoomOut, track, position, heading, isLive, range }: WorldMapProps) => {
  const box = useRef<HTMLDivElement>(null);
  const viewRef = useRef<ReturnType<typeof makeMap>>(null);
  const isDark = useDark();
  const key = JSON.stringify(track);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new palette needs a new map
  useEffect(() => {
    if (!box.current) return;
    const view = makeMap(box.current, { zoomIn, zoomOut });
    viewRef.current = view;
    return () => {
      view.map.setTarget(undefined);
      viewRef.current = null;
    };
  }, [isDark, zoomIn, zoomOut]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new map needs a new drawing
  useEffect(() => {
    const view = viewRef.current;
    if (!view) return;
    const ways: readonly MapPosition[] = JSON.parse(key);
    const line = unwrapped(position ? [...ways, position] : ways).map(({ lon, lat }) => fromLonLat([lon, lat]));
    const way = new Feature(new LineString(line));
    way.setStyle(new Style({ stroke: new Stroke({ color: colorOf('--map-track'), width: 2.5 }) }));
    const last = line.at(-1);
    const here = last && new Feature(new Point(last));
    here?.setStyle(new Style({ image: shapeOf(heading, isLive) }));
    view.moving.clear();
    view.moving.addFeatures([...(line.length > 1 ? [way] : []), ...(here ? [here] : [])]);
    const extent = view.moving.getExtent();
    if (view.shown !== range) view.isMoved = false;
    view.shown = range;
    if (last && extent && !view.isMoved) view.map.getView().fit(extent, { padding: [36, 36, 36, 36], maxZoom: 6 });
  }, [key, position?.lat, position?.lon, heading, isLive, range, isDark]);

  // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the map
  return <div ref={box} className="world-map" role="application" aria-label={label} tabIndex={0} />;
};
export default WorldMap;
