import { boundingExtent } from 'ol/extent.js';
import Feature from 'ol/Feature.js';
import Point from 'ol/geom/Point.js';
import VectorLayer from 'ol/layer/Vector.js';
import { fromLonLat } from 'ol/proj.js';
import Cluster from 'ol/source/Cluster.js';
import Circle from 'ol/style/Circle.js';
import Fill from 'ol/style/Fill.js';
import Icon from 'ol/style/Icon.js';
import Stroke from 'ol/style/Stroke.js';
import Style from 'ol/style/Style.js';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useDark } from '../theme/theme.ts';
import { colorOf, type MapTexts, makeBaseMap } from './base-map.ts';
import { arcsOf, type MapMark, markSum } from './fleet-marks.ts';

interface FleetMapProps {
  readonly label: string;
  readonly zoomIn: string;
  readonly zoomOut: string;
  readonly marks: readonly MapMark[];
  /** CSS variable of the color of each state, in drawing order. */
  readonly hues: Readonly<Record<string, string>>;
  /** Text of the tooltip for one or several marks. */
  readonly describe: (marks: readonly MapMark[]) => string;
  readonly onOpen: (mark: MapMark) => void;
}

const clusterDistancePx = 38;
const fontOf = (size: number) => `600 ${size}px ${colorOf('--font')}`;

/** A ring with the shares of the states, and the number in it. */
const drawRing = (marks: readonly MapMark[], hues: Readonly<Record<string, string>>): HTMLCanvasElement => {
  const sum = markSum(marks);
  const scale = 2;
  const radius = sum >= 1000 ? 22 : sum >= 100 ? 19 : sum >= 10 ? 16 : 14;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 2 * (radius + 2) * scale;
  const context = canvas.getContext('2d');
  if (!context) return canvas;
  context.scale(scale, scale);
  context.translate(radius + 2, radius + 2);
  context.fillStyle = colorOf('--surface');
  context.arc(0, 0, radius + 1, 0, 2 * Math.PI);
  context.fill();
  for (const { state, from, to } of arcsOf(marks, Object.keys(hues))) {
    context.beginPath();
    context.arc(0, 0, radius - 2, from, to);
    context.lineWidth = 4;
    context.strokeStyle = colorOf(hues[state] ?? '--faint');
    context.stroke();
  }
  context.fillStyle = colorOf('--text');
  context.font = fontOf(sum >= 1000 ? 10 : 11);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(String(sum), 0, 0.5);
  return canvas;
};

const styleOf = (marks: readonly MapMark[], hues: Readonly<Record<string, string>>): Style => {
  const [only] = marks;
  if (only && markSum(marks) === 1) {
    const fill = new Fill({ color: colorOf(hues[only.state] ?? '--faint') });
    return new Style({ image: new Circle({ radius: 6, fill, stroke: new Stroke({ color: colorOf('--surface'), width: 2 }) }) });
  }
  return new Style({ image: new Icon({ img: drawRing(marks, hues), scale: 0.5 }) });
};

const isMark = (value: unknown): value is MapMark => typeof value === 'object' && value !== null && 'state' in value && 'count' in value;

/** Marks of a cluster. */
const marksOf = (cluster: Feature): MapMark[] => {
  const inside: unknown = cluster.get('features');
  return Array.isArray(inside) ? inside.map((f: unknown) => (f instanceof Feature ? f.get('mark') : undefined)).filter(isMark) : [];
};

const makeMap = (target: HTMLElement, texts: MapTexts, hues: Readonly<Record<string, string>>) => {
  const { map, drawn } = makeBaseMap(target, texts);
  const styles = new Map<string, Style>();
  const cached = (marks: readonly MapMark[]) => {
    const key = Object.keys(hues)
      .map((state) => markSum(marks.filter((m) => m.state === state)))
      .join(' ');
    const known = styles.get(key) ?? styleOf(marks, hues);
    styles.set(key, known);
    return known;
  };
  const grouped = new Cluster({ distance: clusterDistancePx, source: drawn });
  // The base map draws the same source without clusters.
  for (const layer of map.getLayers().getArray()) if (layer instanceof VectorLayer && layer.getSource() === drawn) layer.setVisible(false);
  const layer = new VectorLayer({
    source: grouped,
    style: (feature) => (feature instanceof Feature ? cached(marksOf(feature)) : undefined),
  });
  map.addLayer(layer);
  const view = { map, drawn, layer, isMoved: false };
  for (const event of ['pointerdown', 'wheel', 'keydown'] as const)
    target.addEventListener(event, () => (view.isMoved = true), { passive: true });
  return view;
};

type View = ReturnType<typeof makeMap>;

const clusterAt = (view: View, pixel: number[]) =>
  view.map.forEachFeatureAtPixel(pixel, (f) => (f instanceof Feature ? f : undefined), {
    layerFilter: (layer) => layer === view.layer,
    hitTolerance: 4,
  });

const drawMarks = ({ map, drawn, isMoved }: View, marks: readonly MapMark[]) => {
  drawn.clear(true);
  drawn.addFeatures(marks.map((mark) => new Feature({ geometry: new Point(fromLonLat([mark.lon, mark.lat])), mark })));
  const extent = drawn.getExtent();
  if (marks.length > 0 && extent && !isMoved) map.getView().fit(extent, { padding: [40, 40, 40, 48], maxZoom: 5 });
};

/** A map of all devices. Near ones are one ring; a click on it zooms in, a click on a single device opens it. */
const FleetMap = ({ label, zoomIn, zoomOut, marks, hues, describe, onOpen }: FleetMapProps) => {
  const box = useRef<HTMLDivElement>(null);
  const viewRef = useRef<View>(null);
  const [tip, setTip] = useState<{ readonly x: number; readonly y: number; readonly text: string }>();
  const isDark = useDark();
  const key = JSON.stringify(marks);
  const hueKey = JSON.stringify(hues);

  const hover = useEffectEvent((view: View, pixel: number[], isDragged: boolean) => {
    const found = isDragged ? undefined : clusterAt(view, pixel);
    view.map.getTargetElement().style.cursor = found ? 'pointer' : '';
    const [x = 0, y = 0] = pixel;
    setTip(found && { x, y, text: describe(marksOf(found)) });
  });
  const click = useEffectEvent((view: View, pixel: number[]) => {
    const found = clusterAt(view, pixel);
    const inside = found ? marksOf(found) : [];
    const [only] = inside;
    if (only && inside.length === 1) return onOpen(only);
    if (inside.length < 2) return;
    const extent = boundingExtent(inside.map(({ lon, lat }) => fromLonLat([lon, lat])));
    view.map.getView().fit(extent, { padding: [60, 60, 60, 60], maxZoom: 12, duration: 200 });
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new palette needs a new map
  useEffect(() => {
    if (!box.current) return;
    const view = makeMap(box.current, { zoomIn, zoomOut }, JSON.parse(hueKey));
    view.map.on('pointermove', (e) => hover(view, e.pixel, e.dragging));
    view.map.on('click', (e) => click(view, e.pixel));
    viewRef.current = view;
    return () => {
      view.map.setTarget(undefined);
      viewRef.current = null;
    };
  }, [isDark, zoomIn, zoomOut, hueKey]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new map needs a new drawing
  useEffect(() => {
    if (viewRef.current) drawMarks(viewRef.current, JSON.parse(key));
  }, [key, isDark, zoomIn, zoomOut, hueKey]);

  return (
    <div className="fleet-map" onPointerLeave={() => setTip(undefined)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the map */}
      <div ref={box} className="world-map" role="application" aria-label={label} tabIndex={0} />
      {tip && (
        <div className="box small fleet-tip" style={{ left: tip.x, top: tip.y }}>
          {tip.text}
        </div>
      )}
    </div>
  );
};
export default FleetMap;
