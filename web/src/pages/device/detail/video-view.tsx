import { videoFields } from '@farlink/contract/device/video.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { speedText } from '@farlink/contract/kit/units.ts';
import { t } from '../../../kit/chrome/lang.ts';
import { ReadFailed } from '../../../kit/chrome/read-failed.tsx';
import { Cell } from '../../../kit/list/cell.tsx';
import { tips } from '../../../ui/browser/tip.ts';
import { timeText } from '../../../ui/format.ts';
import { ShadowTag } from './shadow-tag.tsx';
import { useVideo } from './use-device.ts';

const texts = {
  limit: ['上行限速', 'Up limit'],
  own: ['网关内置地址', 'Built-in address of the gateway'],
  state: ['下发状态', 'At the gateway'],
  changed: ['修改时间', 'Changed at'],
} as const satisfies Record<string, Text>;

/** Desired settings of the camera, and their shadow state. */
const VideoView = ({ id }: { readonly id: number }) => {
  const { data, isError, refetch } = useVideo(id);
  if (!data) return isError && <ReadFailed retry={refetch} />;
  return (
    <div className="detail-facts" {...tips}>
      <dl className="record-grid">
        <div>
          <dt>{t(videoFields.enable.label)}</dt>
          <dd>
            <Cell field={videoFields.enable} value={data.enable} />
          </dd>
        </div>
        <div>
          <dt>{t(videoFields.url.label)}</dt>
          <dd>{data.url === null ? <span className="muted">{t(texts.own)}</span> : <span className="mono">{data.url}</span>}</dd>
        </div>
        <div>
          <dt>{t(texts.limit)}</dt>
          <dd>{t(speedText(data.up_limit))}</dd>
        </div>
        <div>
          <dt>{t(texts.state)}</dt>
          <dd>
            <ShadowTag shadow={data.shadow} />
          </dd>
        </div>
        <div>
          <dt>{t(texts.changed)}</dt>
          <dd>{timeText(data.shadow.update_at)}</dd>
        </div>
      </dl>
    </div>
  );
};
export default VideoView;
