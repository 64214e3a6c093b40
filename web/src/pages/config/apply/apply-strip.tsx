import type { ApplyView } from '@farlink/contract/config/apply.ts';
import { type ConfigTree, configCalls } from '@farlink/contract/config/config.ts';
import { waitReason } from '@farlink/contract/device/shadow.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { durationText } from '@farlink/contract/kit/units.ts';
import { applyState, isApplyOpen } from '@farlink/contract/protocol/apply.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { confirm, notify } from '../../../kit/chrome/notify.tsx';
import { CallError, call } from '../../../kit/net/call.ts';
import { ActButton } from '../../../ui/native/act-button.tsx';
import { IconButton } from '../../../ui/native/icon-button.tsx';
import { RemoveIcon } from '../../../ui/theme/icons.ts';
import { refreshConfig } from '../use-config.ts';
import { RefusalText } from './refusal-text.tsx';

const texts = {
  progress: ['下发进度', 'Progress'],
  waiting: ['等待网关', 'Waiting'],
  sent: ['已下发', 'Sent'],
  trial: ['试运行', 'On trial'],
  applied: ['已生效', 'Applied'],
  pages: ['{0} 页', 'Pages: {0}'],
  left: ['剩余 {0}，未恢复连接将自动回退', '{0} left to reconnect before automatic rollback'],
  withdraw: ['撤回', 'Withdraw'],
  withdrawOf: ['{0} · {1}', '{0} · {1}'],
  comma: ['、', ', '],
  withdrawQuestion: [
    '网关尚未收到，撤回后保持现有配置；修改仍留在各页的历史中。确定撤回吗？',
    'The gateway has not received this and keeps its configuration. The changes stay in the page history. Withdraw?',
  ],
  withdrawn: ['已撤回', 'Withdrawn'],
  dismiss: ['关闭', 'Dismiss'],
} as const satisfies Record<string, Text>;

const pastSeconds = 60;

const nowSeconds = () => Math.floor(Date.now() / 1000);

/** Counts down from the received seconds, because the local clock can be wrong. */
const Countdown = ({ left }: { readonly left: number }) => {
  const [now, setNow] = useState(left);
  useEffect(() => {
    const until = performance.now() + left * 1000;
    const update = () => setNow(Math.max(0, Math.ceil((until - performance.now()) / 1000)));
    update();
    const timer = setInterval(update, 1000);
    return () => clearInterval(timer);
  }, [left]);
  return <span className="muted">{t(texts.left, durationText(now))}</span>;
};

type Step = 'waiting' | 'sent' | 'trial' | 'applied';

const { waiting, sent, trial, applied, merged } = applyState.ids;

/** Progress: waiting to applied are the steps; all other states are failures. */
const stepsOf = (apply: ApplyView): readonly { readonly name: Step; readonly is: 'done' | 'now' | 'next' }[] => {
  const names: readonly Step[] = apply.keep > 0 ? ['waiting', 'sent', 'trial', 'applied'] : ['waiting', 'sent', 'applied'];
  const at = apply.state === applied ? names.length : apply.state === trial ? names.indexOf('trial') : apply.state === sent ? 1 : 0;
  return names.map((name, i) => ({ name, is: i < at ? 'done' : i === at ? 'now' : 'next' }));
};

interface ApplyStripProps {
  readonly device: ConfigTree['device'];
  /** Titles of its pages. */
  readonly titles: readonly string[];
  readonly apply: ApplyView;
  readonly hrefOf: (page: string) => string | undefined;
  readonly isWritable: boolean;
}

/** Progress of the last apply at the gateway. */
export const ApplyStrip = ({ device, titles, apply, hrefOf, isWritable }: ApplyStripProps) => {
  const device_id = device.id;
  const client = useQueryClient();
  const [dismissed, setDismissed] = useState<number>();
  const [since] = useState(nowSeconds);
  // A success before the page was opened is not shown.
  const isPast = apply.state === applied && apply.finish_at !== null && since - apply.finish_at > pastSeconds;
  if (dismissed === apply.id || apply.state === merged || isPast) return null;
  const isOpen = isApplyOpen(apply.state);
  const state = applyState.options.find(({ id }) => id === apply.state);
  const wait = waitReason.find(({ id }) => id === apply.waits);
  const withdraw = async () => {
    if (!(await confirm(texts.withdrawQuestion, { of: t(texts.withdrawOf, device.name, titles.join(t(texts.comma))) }))) return;
    try {
      await call(configCalls.withdraw, { device_id, id: apply.id });
      notify.success(t(texts.withdrawn));
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
    }
    await refreshConfig(client, device_id);
  };
  return (
    <section className="apply-strip" aria-label={t(texts.progress)} data-state={apply.state} role="status">
      {isOpen || apply.state === applied ? (
        <ol className="flow">
          {stepsOf(apply).map(({ name, is }) => (
            <li key={name} className="row" data-is={is} aria-current={is === 'now' ? 'step' : undefined}>
              {t(texts[name])}
            </li>
          ))}
        </ol>
      ) : (
        <span className={`tag hue-${state?.color ?? 'default'}`}>{state && t(state.label)}</span>
      )}
      <span className="muted">{t(texts.pages, apply.pages.length)}</span>
      {apply.state === waiting && wait && <span className="muted">{t(wait.label)}</span>}
      {apply.left !== null && <Countdown left={apply.left} />}
      {apply.err !== null && !isOpen && <RefusalText err={apply.err} hrefOf={hrefOf} />}
      <span className="spring" />
      {apply.state === waiting && isWritable && <ActButton label={t(texts.withdraw)} onClick={() => void withdraw()} />}
      {!isOpen && (
        <IconButton label={t(texts.dismiss)} onClick={() => setDismissed(apply.id)}>
          <RemoveIcon aria-hidden />
        </IconButton>
      )}
    </section>
  );
};
