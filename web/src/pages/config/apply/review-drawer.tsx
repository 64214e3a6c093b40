import { type ConfigTree, configCalls, type Review } from '@farlink/contract/config/config.ts';
import { waitReason } from '@farlink/contract/device/shadow.ts';
import { errors as refusals } from '@farlink/contract/errors.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { bytesText } from '@farlink/contract/kit/units.ts';
import { rollbackTimer } from '@farlink/contract/protocol/rollback.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { notify } from '../../../kit/chrome/notify.tsx';
import { Unread } from '../../../kit/chrome/read-failed.tsx';
import { usePages } from '../../../kit/document/schema.ts';
import { CallError, call } from '../../../kit/net/call.ts';
import { Button } from '../../../ui/native/button.tsx';
import { Callout } from '../../../ui/native/callout.tsx';
import { EmptyState } from '../../../ui/native/empty-state.tsx';
import { LineInput } from '../../../ui/native/line-input.tsx';
import { Panel } from '../../../ui/native/panel.tsx';
import { refreshConfig, useReview } from '../use-config.ts';
import { useEdits } from './edits.ts';
import { ReviewPage } from './review-page.tsx';

const texts = {
  title: ['核对并下发', 'Review and apply'],
  comparing: ['正在核对差异…', 'Checking the differences…'],
  none: ['没有需要下发的修改', 'Nothing to apply'],
  size: ['下发约 {0}', 'Sends about {0}'],
  lBand: ['当前使用L波段，按流量计费', 'On the L-band link, billed by volume'],
  offline: ['设备离线，上线后自动下发', 'The device is offline. Changes are sent when it comes online.'],
  at: ['立即下发', 'Sent at once'],
  rollback: ['失联自动回退', 'Roll back if lost'],
  rollbackHint: [
    '网关先试运行新配置；{0} 秒内未能重新连上平台，则自动恢复原配置。填 0 不启用。',
    'The gateway tries the new configuration first. If it does not reconnect within {0} s, it restores the previous one. 0 turns this off.',
  ],
  rollbackOff: ['未启用：若新配置使网关失联，只能现场恢复', 'Off: if the change disconnects the gateway, it can only be restored on site'],
  rollbackUnneeded: ['未启用：本次修改不影响网关联网', 'Off: this change does not affect the gateway connection'],
  rollbackRange: ['0（不启用）或30到600秒', '0 (off) or 30 to 600 seconds'],
  risky: [
    '本次修改涉及网关与平台的连接，建议启用失联自动回退',
    'This change affects the connection between gateway and console. Automatic rollback is recommended.',
  ],
  note: ['说明（可选）', 'Note (optional)'],
  apply: ['下发 {0} 页', 'Apply {0} pages'],
  applyOne: ['下发 1 页', 'Apply 1 page'],
  applied: ['已提交下发，可在页面底部查看进度', 'Submitted. Progress is shown at the bottom of the page.'],
  problems: ['{0} 处问题需要先解决', 'Problems to fix first: {0}'],
  stale: ['所选页面中有他人的新修改；继续将覆盖它们', 'Others have changed some of these pages. Continuing overwrites their changes.'],
  force: ['覆盖并下发', 'Overwrite and apply'],
} as const satisfies Record<string, Text>;

interface ReviewDrawerProps {
  readonly deviceId: number;
  readonly device: ConfigTree['device'];
  readonly hrefOf: (page: string) => string | undefined;
  readonly onClose: () => void;
}

const waitText = (review: Review, device: ConfigTree['device']) => {
  if (device.online_state === 0) return t(texts.offline);
  // 'sending' is no reason to wait here, because nothing is sent yet.
  const wait = waitReason.find(({ id }) => id === review.waits && id !== 'sending');
  if (wait) return t(wait.label);
  return device.network === 'l_band' ? t(texts.lBand) : t(texts.at);
};

const isRollbackTime = (typed: string) => /^\d{1,3}$/.test(typed) && (Number(typed) === 0 || (Number(typed) >= 30 && Number(typed) <= 600));

const rollbackNote = (rollback: string, isRisky: boolean) => {
  if (!isRollbackTime(rollback)) return t(texts.rollbackRange);
  if (Number(rollback) > 0) return t(texts.rollbackHint, rollback);
  return t(isRisky ? texts.rollbackOff : texts.rollbackUnneeded);
};

/** All drafts of a device: changes, problems, and the button that applies all or none. */
const ReviewDrawer = ({ deviceId: device_id, device, hrefOf, onClose }: ReviewDrawerProps) => {
  const client = useQueryClient();
  const edits = useEdits();
  const { data: review, isPending, refetch } = useReview(device_id);
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set());
  const [typedRollback, setRollback] = useState<string>();
  const [note, setNote] = useState('');
  const [noteWrong, setNoteWrong] = useState<string>();
  const [busy, setBusy] = useState(false);
  const schemas = usePages(review?.pages.map(({ page }) => page) ?? []);
  const chosen = review?.pages.filter(({ page }) => !excluded.has(page)) ?? [];
  const problems = review?.problems.filter(({ page }) => !excluded.has(page)) ?? [];
  const rollback = typedRollback ?? String(review?.risky === false ? 0 : rollbackTimer.default);
  const isStale = chosen.some(({ stale }) => stale);
  const apply = async () => {
    setBusy(true);
    try {
      const pages = chosen.map(({ page }) => page);
      await call(configCalls.apply, { device_id, pages, keep: Number(rollback), note: note.trim(), force: isStale }, { overlay: false });
      for (const page of pages) edits.drop(page);
      notify.success(t(texts.applied));
      onClose();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (error.code === refusals.bad_input.code) setNoteWrong(error.fields.note);
    } finally {
      setBusy(false);
      await refreshConfig(client, device_id);
    }
  };
  if (!review || review.pages.length === 0)
    return (
      <Panel title={t(texts.title)} width={980} onClose={onClose}>
        {isPending ? (
          <p className="record-wait muted" role="status">
            {t(texts.comparing)}
          </p>
        ) : review ? (
          <EmptyState title={t(texts.none)} />
        ) : (
          <Unread retry={refetch} />
        )}
      </Panel>
    );
  return (
    <Panel title={`${t(texts.title)} · ${device.name}`} width={980} onClose={onClose}>
      {problems.length > 0 && <Callout tone="error">{t(texts.problems, problems.length)}</Callout>}
      <ul>
        {review.pages.map((one) => (
          <ReviewPage
            key={one.page}
            deviceId={device_id}
            review={one}
            schema={schemas.get(one.page)}
            problems={review.problems.filter(({ page }) => page === one.page)}
            isChosen={!excluded.has(one.page)}
            onChoose={(on) => setExcluded(new Set(on ? [...excluded].filter((page) => page !== one.page) : [...excluded, one.page]))}
            href={hrefOf(one.page)}
            onLeave={onClose}
          />
        ))}
      </ul>
      <div>
        <p className="muted">
          {t(texts.size, bytesText(review.bytes))} · {waitText(review, device)}
        </p>
        {review.risky && <Callout tone="warning">{t(texts.risky)}</Callout>}
        <div className="columns narrow review-fields">
          <div className="doc-field">
            <div className="row muted doc-label">
              <label htmlFor="review-rollback">{t(texts.rollback)}</label>
            </div>
            <LineInput
              id="review-rollback"
              value={rollback}
              onChange={setRollback}
              inputMode="numeric"
              suffix={t(['秒', 's'])}
              isWrong={!isRollbackTime(rollback)}
              describedBy="review-rollback-hint"
            />
            <span id="review-rollback-hint" className={isRollbackTime(rollback) ? 'hint' : 'refusal'}>
              {rollbackNote(rollback, review.risky)}
            </span>
          </div>
          <div className="doc-field">
            <div className="row muted doc-label">
              <label htmlFor="review-note">{t(texts.note)}</label>
            </div>
            <LineInput id="review-note" value={note} onChange={setNote} max={128} isWrong={noteWrong !== undefined} />
            {noteWrong && <span className="refusal">{noteWrong}</span>}
          </div>
        </div>
        {isStale && <Callout tone="warning">{t(texts.stale)}</Callout>}
        <div className="dialog-foot drawer-foot">
          <span className="spring" />
          <Button onClick={onClose}>{t(['取消', 'Cancel'])}</Button>
          <Button
            kind="primary"
            danger={isStale}
            loading={busy}
            disabled={chosen.length === 0 || problems.length > 0 || !isRollbackTime(rollback)}
            onClick={() => void apply()}
          >
            {isStale ? t(texts.force) : chosen.length === 1 ? t(texts.applyOne) : t(texts.apply, chosen.length)}
          </Button>
        </div>
      </div>
    </Panel>
  );
};
export default ReviewDrawer;
