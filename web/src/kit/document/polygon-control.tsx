import type { Text } from '@farlink/contract/kit/text.ts';
import { lazy, Suspense, useState } from 'react';
import { type Ring, ringText } from '../../ui/charts/ring.ts';
import { AreaInput } from '../../ui/native/area-input.tsx';
import { Button } from '../../ui/native/button.tsx';
import { IconButton } from '../../ui/native/icon-button.tsx';
import { LineInput } from '../../ui/native/line-input.tsx';
import { RemoveIcon } from '../../ui/theme/icons.ts';
import { t } from '../chrome/lang.ts';
import { useDocumentContext } from './document-context.ts';

const ShapeMap = lazy(() => import('../../ui/maps/shape-map.tsx'));

const texts = {
  map: ['地图', 'Map'],
  zoomIn: ['放大', 'Zoom in'],
  zoomOut: ['缩小', 'Zoom out'],
  draw: ['在地图上绘制', 'Draw on the map'],
  again: ['重新绘制', 'Draw again'],
  stop: ['取消绘制', 'Stop drawing'],
  drawing: ['依次点击各顶点，双击结束', 'Click each corner, double-click to finish'],
  moving: ['拖动顶点或边线修改；按住Alt点击顶点可删除', 'Drag corners or edges; Alt-click a corner to remove it'],
  clear: ['清空', 'Clear'],
  paste: ['粘贴坐标', 'Paste coordinates'],
  pasteHint: ['每行一个点：经度, 纬度', 'One point per line: longitude, latitude'],
  take: ['采用', 'Use these'],
  notRead: ['每行应为“经度, 纬度”', 'Each line must be "longitude, latitude"'],
  corner: ['第{0}点', 'Corner {0}'],
  lon: ['经度', 'Longitude'],
  lat: ['纬度', 'Latitude'],
  add: ['添加顶点', 'Add a corner'],
  remove: ['删除第{0}点', 'Remove corner {0}'],
  count: ['{0} 个顶点', '{0} corners'],
} as const satisfies Record<string, Text>;

const numbers = (raw: unknown): Ring =>
  Array.isArray(raw) ? raw.filter(Array.isArray).map((point): [number, number] => [Number(point[0]), Number(point[1])]) : [];

interface CornerProps {
  readonly id: string;
  readonly at: number;
  readonly corner: readonly [number, number];
  readonly onChange: (corner: readonly [number, number]) => void;
  readonly onRemove: () => void;
}

const Corner = ({ id, at, corner: [lon, lat], onChange, onRemove }: CornerProps) => {
  const [typed, setTyped] = useState<readonly [string, string]>();
  const [shownLon, shownLat] = typed ?? [String(lon), String(lat)];
  const take = () => {
    const x = Number(shownLon);
    const y = Number(shownLat);
    setTyped(undefined);
    if (typed && shownLon !== '' && shownLat !== '' && Math.abs(x) <= 180 && Math.abs(y) <= 90) onChange([x, y]);
  };
  return (
    <li>
      <span className="muted items-no">{at + 1}</span>
      <LineInput
        id={`${id}-${at}-lon`}
        label={`${t(texts.corner, at + 1)} ${t(texts.lon)}`}
        value={shownLon}
        inputMode="decimal"
        suffix="°E"
        onChange={(x) => setTyped([x, shownLat])}
        onLeave={take}
      />
      <LineInput
        id={`${id}-${at}-lat`}
        label={`${t(texts.corner, at + 1)} ${t(texts.lat)}`}
        value={shownLat}
        inputMode="decimal"
        suffix="°N"
        onChange={(y) => setTyped([shownLon, y])}
        onLeave={take}
      />
      <IconButton label={t(texts.remove, at + 1)} onClick={onRemove}>
        <RemoveIcon aria-hidden />
      </IconButton>
    </li>
  );
};

interface PolygonControlProps {
  readonly id: string;
  readonly label: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** The polygons of the other rows. */
  readonly others?: readonly unknown[] | undefined;
}

/** A polygon: drawn on the map, or entered by coordinates. */
const PolygonControl = ({ id, label, value, onChange, others = [] }: PolygonControlProps) => {
  const ring = numbers(value);
  const { isReadOnly = false } = useDocumentContext();
  const [isDrawing, setDrawing] = useState(false);
  // The map zooms to its polygon only when it is created, so pasted corners need a new map.
  const [mapKey, setMapKey] = useState(0);
  const [pasted, setPasted] = useState<string>();
  const put = (next: Ring) => onChange(next.map(([lon, lat]) => [lon, lat]));
  const drawn = (next: Ring) => {
    setDrawing(false);
    put(next);
  };
  const read = pasted === undefined ? undefined : ringText(pasted);
  const last = ring.at(-1) ?? [0, 0];
  return (
    <div id={id}>
      {!isReadOnly && (
        <div className="row wrap polygon-bar">
          <Button size="small" onClick={() => setDrawing(!isDrawing)}>
            {t(isDrawing ? texts.stop : ring.length > 2 ? texts.again : texts.draw)}
          </Button>
          <Button size="small" onClick={() => setPasted(pasted === undefined ? '' : undefined)}>
            {t(texts.paste)}
          </Button>
          {ring.length > 0 && (
            <Button size="small" onClick={() => put([])}>
              {t(texts.clear)}
            </Button>
          )}
          <span className="muted">{isDrawing ? t(texts.drawing) : ring.length > 2 ? t(texts.moving) : ''}</span>
        </div>
      )}
      {pasted !== undefined && (
        <div className="row wrap polygon-paste">
          <AreaInput
            id={`${id}-paste`}
            label={t(texts.pasteHint)}
            value={pasted}
            onChange={setPasted}
            placeholder={`${t(texts.pasteHint)}\n113.5, 22.1\n114.2, 22.1`}
            rows={4}
            isMono
            isWrong={pasted !== '' && read === undefined}
          />
          <Button
            size="small"
            kind="primary"
            disabled={!read || read.length < 3}
            onClick={() => {
              if (read) put(read);
              setMapKey(mapKey + 1);
              setPasted(undefined);
            }}
          >
            {t(texts.take)}
          </Button>
          {pasted !== '' && read === undefined && <span className="refusal">{t(texts.notRead)}</span>}
        </div>
      )}
      <div className="box polygon-map">
        <Suspense>
          <ShapeMap
            key={mapKey}
            label={`${label} ${t(texts.map)}`}
            zoomIn={t(texts.zoomIn)}
            zoomOut={t(texts.zoomOut)}
            ring={ring}
            others={others.map(numbers).filter((other) => other.length > 2)}
            isDrawing={isDrawing}
            isReadOnly={isReadOnly}
            onChange={drawn}
          />
        </Suspense>
      </div>
      <details className="polygon-corners" open={ring.length > 0 && ring.length <= 8}>
        <summary>{t(texts.count, ring.length)}</summary>
        <ol>
          {ring.map((corner, at) => (
            <Corner
              // biome-ignore lint/suspicious/noArrayIndexKey: a corner has no id except its index
              key={at}
              id={id}
              at={at}
              corner={corner}
              onChange={(next) => put(ring.map((each, i) => (i === at ? next : each)))}
              onRemove={() => put(ring.filter((_, i) => i !== at))}
            />
          ))}
        </ol>
        <Button size="small" kind="dashed" onClick={() => put([...ring, last])}>
          {t(texts.add)}
        </Button>
      </details>
    </div>
  );
};
export default PolygonControl;
