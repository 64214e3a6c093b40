import type { DeviceNow } from '@farlink/contract/device/device-detail.ts';
import { device } from '@farlink/contract/device/device-resource.ts';
import { isNewer } from '@farlink/contract/firmware/version.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { durationText } from '@farlink/contract/kit/units.ts';
import { lang, t } from '../../../kit/chrome/lang.ts';
import { Cell } from '../../../kit/list/cell.tsx';
import { dateText, nothing, numberText, relativeText, timeText } from '../../../ui/format.ts';
import { Fact, FactStrip } from '../../../ui/native/fact-strip.tsx';

const texts = {
  state: ['在线状态', 'State'],
  since: ['{0}上线', '{0}'],
  gone: ['{0}离线', '{0}'],
  never: ['从未上线', 'Never seen'],
  link: ['当前链路', 'Current link'],
  users: ['在线用户', 'Users online'],
  accounts: ['共 {0} 个账号', 'of {0} accounts'],
  load: ['CPU / 内存', 'CPU / memory'],
  updated: ['{0}更新', '{0}'],
  run: ['运行时长', 'Uptime'],
  version: ['版本', 'Version'],
  newest: ['已是最新版本', 'Up to date'],
  newer: ['可升级到 {0}', '{0} available'],
  auth: ['授权', 'Authorization'],
  until: ['至 {0}', 'until {0}'],
  endless: ['长期有效', 'without end'],
} as const satisfies Record<string, Text>;

const { fields } = device;

const percent = (value: number | null | undefined) => (value === null || value === undefined ? nothing : `${value}%`);

/** Round-trip time and quality of the current link. */
const linkText = ({ rtt, quality }: DeviceNow['links'][number]) =>
  [rtt === null ? '' : `${rtt} ms`, quality === null ? '' : `${quality}%`].filter(Boolean).join(' · ');

const newerThan = ({ latest_version, version }: AnyRow) =>
  isNewer(latest_version, version) ? t(texts.newer, String(latest_version)) : t(texts.newest);

/** Summary of a device: online state, link and quality, users, uptime. */
export const DeviceStrip = ({ record, now }: { readonly record: AnyRow; readonly now: DeviceNow | undefined }) => {
  const isHere = record.online_state === 1;
  const changedAt = isHere ? record.online_at : record.offline_at;
  const current = now?.links.find((l) => l.is_current);
  return (
    <FactStrip count={7}>
      <Fact
        label={t(texts.state)}
        more={changedAt ? t(isHere ? texts.since : texts.gone, relativeText(changedAt, lang)) : t(texts.never)}
        tip={changedAt ? timeText(changedAt) : undefined}
      >
        <Cell field={fields.online_state} value={record.online_state} />
      </Fact>
      <Fact label={t(texts.link)} more={current && linkText(current)}>
        {current ? (
          <span className="link-name" style={{ ['--hue' as string]: current.color }}>
            {current.name}
          </span>
        ) : (
          nothing
        )}
      </Fact>
      <Fact label={t(texts.users)} more={t(texts.accounts, numberText(record.user_count))}>
        {numberText(now?.online_users)}
      </Fact>
      <Fact
        label={t(texts.load)}
        more={now?.seen_at ? t(texts.updated, relativeText(now.seen_at, lang)) : undefined}
        tip={now?.seen_at ? timeText(now.seen_at) : undefined}
      >
        {percent(now?.cpu)} / {percent(now?.memory)}
      </Fact>
      <Fact label={t(texts.run)}>{typeof record.run_time === 'number' ? t(durationText(record.run_time)) : nothing}</Fact>
      <Fact label={t(texts.version)} more={record.version ? newerThan(record) : undefined}>
        <span className="mono">{String(record.version ?? nothing)}</span>
      </Fact>
      <Fact
        label={t(texts.auth)}
        more={record.auth_expire_at ? t(texts.until, dateText(record.auth_expire_at)) : t(texts.endless)}
        tip={record.auth_expire_at ? `${timeText(record.auth_expire_at)} · ${relativeText(record.auth_expire_at, lang)}` : undefined}
      >
        <Cell field={fields.auth_status} value={record.auth_status} />
      </Fact>
    </FactStrip>
  );
};
