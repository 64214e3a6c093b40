import { type PageReading, watchState } from '@farlink/contract/config/watch.ts';
import { waitReason } from '@farlink/contract/device/shadow.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { bytesText, durationText } from '@farlink/contract/kit/units.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { Button } from '../../../ui/native/button.tsx';
import { Callout } from '../../../ui/native/callout.tsx';
import { Point } from '../../../ui/native/tag.tsx';
import { PageHead } from '../frame/page-head.tsx';
import type { LiveReading } from './use-live-reading.ts';
import './live.css';

const texts = {
  ago: ['{0}前', '{0} ago'],
  now: ['刚刚', 'just now'],
  never: ['尚无数据', 'nothing yet'],
  pause: ['暂停刷新', 'Pause'],
  resume: ['恢复刷新', 'Resume'],
  paused: ['已暂停', 'Paused'],
  refresh: ['立即刷新', 'Refresh'],
  metered: [
    '当前为L波段链路，按流量计费：每次刷新约 {0}，已降为每分钟一次、最多20行',
    'On the L-band link, billed by volume: each refresh uses about {0}. Refreshed once a minute, at most 20 rows.',
  ],
  meteredFirst: [
    '当前为L波段链路，按流量计费：已降为每分钟刷新一次、最多20行',
    'On the L-band link, billed by volume: refreshed once a minute, at most 20 rows',
  ],
  offline: ['设备离线，以下为最后一次读取的内容', 'The device is offline. This is the last data read.'],
  offlineNever: ['设备离线，上线后才能读取', 'The device is offline. It can be read when it comes online.'],
  failed: ['网关未能提供该页：{0}', 'The gateway could not provide this page: {0}'],
  unreached: ['读取失败，请检查网络后重试', 'Reading failed. Check the network and try again.'],
} as const satisfies Record<string, Text>;

/** Renders once per second, so that the shown age is current. */
const useSeconds = () => {
  const [, render] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => render((n) => n + 1), 1000);
    return () => clearInterval(timer);
  }, []);
};

const Age = ({ reading, readAt }: { readonly reading: PageReading; readonly readAt: number }) => {
  useSeconds();
  if (reading.at === null) return <span className="muted">{t(texts.never)}</span>;
  const seconds = Math.max(0, Math.round(reading.now - reading.at + (performance.now() - readAt) / 1000));
  return <span className="muted live-age">{seconds < 2 ? t(texts.now) : t(texts.ago, durationText(seconds))}</span>;
};

interface LiveBadgeProps {
  readonly reading: PageReading;
  readonly readAt: number;
  readonly isPaused: boolean;
  readonly failed: boolean;
}

/** Shows whether the data is live, and its age. */
const LiveBadge = ({ reading, readAt, isPaused, failed }: LiveBadgeProps) => {
  const state = watchState.find(({ id }) => id === (failed ? 'stale' : reading.state));
  const wait = waitReason.find(({ id }) => id === reading.waits && id !== 'sending');
  return (
    <span className="inline wrap live-badge">
      <span role="status">
        <Point color={isPaused ? 'default' : state?.color}>{t(isPaused ? texts.paused : (state?.label ?? ['', '']))}</Point>
      </span>
      <Age reading={reading} readAt={readAt} />
      {wait && reading.state !== 'offline' && <span className="muted">{t(wait.label)}</span>}
    </span>
  );
};

/** Warnings about a reading. */
const Notes = ({ reading }: { readonly reading: PageReading }) => {
  if (reading.state === 'offline') return <Callout tone="warning">{t(reading.at === null ? texts.offlineNever : texts.offline)}</Callout>;
  return (
    <>
      {reading.metered && (
        <Callout tone="warning">{reading.bytes === null ? t(texts.meteredFirst) : t(texts.metered, bytesText(reading.bytes))}</Callout>
      )}
      {reading.state === 'failed' && <Callout tone="error">{t(texts.failed, reading.err ?? '-')}</Callout>}
    </>
  );
};

interface LiveHeadProps {
  readonly page: GatewayPage;
  readonly live: LiveReading;
  readonly children?: ReactNode;
}

/** Header of a page with data from the gateway. */
export const LiveHead = ({ page, live, children }: LiveHeadProps) => {
  const { reading, readAt, failed, refresh, isPaused, setPaused } = live;
  const bar = (
    <>
      {reading && <LiveBadge reading={reading} readAt={readAt} isPaused={isPaused} failed={failed} />}
      <span className="spring" />
      {children}
      {reading?.state !== 'offline' && (
        <>
          <Button onClick={refresh}>{t(texts.refresh)}</Button>
          <Button onClick={() => setPaused(!isPaused)}>{t(isPaused ? texts.resume : texts.pause)}</Button>
        </>
      )}
    </>
  );
  return (
    <PageHead page={page} bar={bar}>
      {reading && <Notes reading={reading} />}
      {failed && <Callout tone="error">{t(texts.unreached)}</Callout>}
    </PageHead>
  );
};
