import Collection from 'ol/Collection.js';
import Feature from 'ol/Feature.js';
import Polygon from 'ol/geom/Polygon.js';
import DoubleClickZoom from 'ol/interaction/DoubleClickZoom.js';
import Draw from 'ol/interaction/Draw.js';
import Modify from 'ol/interaction/Modify.js';
import { fromLonLat, transform } from 'ol/proj.js';
import Circle from 'ol/style/Circle.js';
import Fill from 'ol/style/Fill.js';
import Stroke from 'ol/style/Stroke.js';
import Style from 'ol/style/Style.js';
import { useEffect, useEffectEvent, useRef } from 'react';
import { type Ring, ringIn, ringOut } from '../charts/ring.ts';
import { useDark } from '../theme/theme.ts';
import { colorOf, makeBaseMap } from './base-map.ts';

interface ShapeMapProps {
  readonly label: string;
  readonly zoomIn: string;
  readonly zoomOut: string;
  readonly ring: Ring;
  /** Other areas, shown only. */
  readonly others: readonly Ring[];
  /** True: a new polygon is drawn. False: the corners of the current one can be moved. */
  readonly isDrawing: boolean;
  readonly isReadOnly: boolean;
  readonly onChange: (ring: Ring) => void;
}

const shapeOf = (ring: Ring) => {
  const corners = ringOut(ring).map((corner) => fromLonLat(corner));
  return new Polygon([[...corners, corners[0] ?? [0, 0]]]);
};

/** Longitudes are not normalized here; `ringIn` does that for the whole ring. */
const cornersOf = (shape: Polygon): Ring =>
  ringIn(
    (shape.getCoordinates()[0] ?? []).map((at) => {
      const [lon = 0, lat = 0] = transform(at, 'EPSG:3857', 'EPSG:4326');
      return [lon, lat];
    }),
  );

/** Palette colors are #rrggbb; two more digits are the opacity. */
const styleOf = (stroke: string, opacity: string) =>
  new Style({
    fill: new Fill({ color: `${stroke}${opacity}` }),
    stroke: new Stroke({ color: stroke, width: 2 }),
  });

/** A map with a polygon that can be drawn and edited. */
const ShapeMap = ({ label, zoomIn, zoomOut, ring, others, isDrawing, isReadOnly, onChange }: ShapeMapProps) => {
  const box = useRef<HTMLDivElement>(null);
  const viewRef = useRef<ReturnType<typeof makeBaseMap>>(null);
  const isDark = useDark();
  const changed = useEffectEvent(onChange);
  const key = JSON.stringify({ ring, others });

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new palette needs a new map
  useEffect(() => {
    if (!box.current) return;
    const base = makeBaseMap(box.current, { zoomIn, zoomOut });
    viewRef.current = base;
    if (ring.length > 2) base.map.getView().fit(shapeOf(ring), { padding: [30, 30, 30, 30], maxZoom: 8 });
    return () => {
      base.map.setTarget(undefined);
      viewRef.current = null;
    };
  }, [isDark, zoomIn, zoomOut]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new map needs a new drawing
  useEffect(() => {
    const base = viewRef.current;
    if (!base) return;
    const own = colorOf('--map-track');
    const otherColor = colorOf('--faint');
    const known: { ring: Ring; others: Ring[] } = JSON.parse(key);
    base.drawn.clear();
    base.drawn.addFeatures(
      known.others.map((other) => {
        const feature = new Feature(shapeOf(other));
        feature.setStyle(styleOf(otherColor, '14'));
        return feature;
      }),
    );
    if (known.ring.length < 3 && !isDrawing) return;
    if (isDrawing) {
      const draw = new Draw({
        type: 'Polygon',
        wrapX: false,
        style: [styleOf(own, '26'), new Style({ image: new Circle({ radius: 5, fill: new Fill({ color: own }) }) })],
      });
      draw.on('drawend', ({ feature }) => {
        const shape = feature.getGeometry();
        if (shape instanceof Polygon) changed(cornersOf(shape));
      });
      base.map.addInteraction(draw);
      // A double click adds corners or ends the polygon, so it must not zoom.
      const zooms = base.map
        .getInteractions()
        .getArray()
        .filter((each) => each instanceof DoubleClickZoom);
      for (const zoom of zooms) zoom.setActive(false);
      return () => {
        base.map.removeInteraction(draw);
        for (const zoom of zooms) zoom.setActive(true);
      };
    }
    const feature = new Feature(shapeOf(known.ring));
    feature.setStyle(styleOf(own, '26'));
    base.drawn.addFeature(feature);
    if (isReadOnly) return;
    const modify = new Modify({
      features: new Collection([feature]),
      pixelTolerance: 12,
      style: new Style({
        image: new Circle({ radius: 6, fill: new Fill({ color: own }), stroke: new Stroke({ color: colorOf('--surface'), width: 2 }) }),
      }),
    });
    modify.on('modifyend', () => {
      const shape = feature.getGeometry();
      if (shape) changed(cornersOf(shape));
    });
    base.map.addInteraction(modify);
    return () => void base.map.removeInteraction(modify);
  }, [key, isDrawing, isReadOnly, isDark]);

  // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the map
  return <div ref={box} className="world-map" role="application" aria-label={label} tabIndex={0} />;
};
export default ShapeMap;
