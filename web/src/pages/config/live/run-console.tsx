import { runCalls } from '@farlink/contract/config/run.ts';
import { waitReason } from '@farlink/contract/device/shadow.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { bytesText, durationText } from '@farlink/contract/kit/units.ts';
import { commandState, isEnded } from '@farlink/contract/protocol/command.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { confirm, notify } from '../../../kit/chrome/notify.tsx';
import { call } from '../../../kit/net/call.ts';
import { download } from '../../../kit/net/download.ts';
import { copyText } from '../../../ui/browser/copy.ts';
import { ProgressBar } from '../../../ui/charts/progress-bar.tsx';
import { ActButton } from '../../../ui/native/act-button.tsx';
import { Tag } from '../../../ui/native/tag.tsx';
import { RunResult } from './run-result.tsx';
import type { Followed } from './use-run.ts';

const texts = {
  output: ['输出', 'Output'],
  none: ['填写参数后点击“执行”，输出将显示在这里', 'Fill in the form and run it. The output appears here.'],
  progress: ['执行进度', 'Progress'],
  elapsed: ['用时 {0}', '{0} so far'],
  took: ['用时 {0}', 'Took {0}'],
  copy: ['复制', 'Copy'],
  copied: ['已复制', 'Copied'],
  notCopied: ['浏览器不允许复制', 'The browser does not allow copying'],
  stop: ['中止', 'Stop'],
  stopQuestion: [
    '网关将停止执行，已完成的部分不会撤销。确定中止该操作吗？',
    'The gateway stops the run. Completed steps are not undone. Stop this run?',
  ],
  stopping: ['已通知网关中止', 'Stop request sent to the gateway'],
  follow: ['跟随输出', 'Follow'],
  file: ['下载 {0}（{1}）', 'Download {0} ({1})'],
  waiting: ['等待网关应答…', 'Waiting for the gateway…'],
  done: ['— 完成 —', '— done —'],
  failed: ['— 失败：{0} —', '— failed: {0} —'],
  expired: ['— 网关未在限定时间内执行 —', '— the gateway did not run it in time —'],
  cancelled: ['— 已取消 —', '— cancelled —'],
} as const satisfies Record<string, Text>;

const Elapsed = ({ followed: { view, readAt } }: { readonly followed: Followed }) => {
  const [, render] = useState(0);
  const isOver = view.finish_at !== null;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => render((n) => n + 1), 1000);
    return () => clearInterval(timer);
  }, [isOver]);
  const from = view.start_at ?? view.create_at;
  const seconds = view.finish_at === null ? view.now - from + (performance.now() - readAt) / 1000 : view.finish_at - from;
  return <span className="muted live-age">{t(isOver ? texts.took : texts.elapsed, durationText(Math.max(0, Math.round(seconds))))}</span>;
};

const { queued, done, failed, expired, cancelled } = commandState.ids;

const endOf = ({ state, err }: Followed['view']): string | undefined => {
  if (state === done) return t(texts.done);
  if (state === failed) return t(texts.failed, err ?? '-');
  if (state === expired) return t(texts.expired);
  return state === cancelled ? t(texts.cancelled) : undefined;
};

/** Follows the output while the reader is at the end. */
const Screen = ({ followed }: { readonly followed: Followed }) => {
  const box = useRef<HTMLPreElement>(null);
  const [isFollowing, setFollowing] = useState(true);
  const { lines, view } = followed;
  const end = endOf(view);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when new output arrives
  useEffect(() => {
    if (isFollowing && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines.length, end, isFollowing]);
  return (
    <pre
      ref={box}
      className="small run-output"
      role="log"
      aria-label={t(texts.output)}
      aria-live="off"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) =>
        setFollowing(scrollHeight - scrollTop - clientHeight < 24)
      }
    >
      {lines.join('\n')}
      {lines.length === 0 && end === undefined && <span className="run-end">{t(texts.waiting)}</span>}
      {end !== undefined && (
        <span className="run-end" data-bad={view.state === done ? undefined : ''}>
          {lines.length > 0 ? '\n' : ''}
          {end}
        </span>
      )}
    </pre>
  );
};

interface RunConsoleProps {
  readonly page: GatewayPage;
  readonly followed: Followed | undefined;
  readonly isPending: boolean;
}

/** Output, progress and result of a run. */
export const RunConsole = ({ page, followed, isPending }: RunConsoleProps) => {
  if (!followed)
    return (
      <section className="run-console" aria-label={t(texts.output)}>
        <pre className="small run-output">
          <span className="run-end">{t(isPending ? texts.waiting : texts.none)}</span>
        </pre>
      </section>
    );
  const { view, lines } = followed;
  const state = commandState.options.find(({ id }) => id === view.state);
  const wait = waitReason.find(({ id }) => id === view.waits && id !== 'sending');
  const copy = async () => {
    if (await copyText(lines.join('\n'))) notify.success(t(texts.copied));
    else notify.warning(t(texts.notCopied));
  };
  const stop = async () => {
    if (!(await confirm(texts.stopQuestion, { danger: true, of: t(page.title) }))) return;
    await call(runCalls.stop, { id: view.id });
    if (view.state !== queued) notify.info(t(texts.stopping));
  };
  const { file, result } = view;
  return (
    <section className="run-console" aria-label={t(texts.output)}>
      <div className="row wrap run-bar">
        <span role="status">
          <Tag color={state?.color}>{t(state?.label ?? ['', ''])}</Tag>
        </span>
        {view.state !== queued && !isEnded(view.state) && <ProgressBar percent={view.progress} label={t(texts.progress)} />}
        {wait && <span className="muted">{t(wait.label)}</span>}
        <Elapsed followed={followed} />
        <span className="spring" />
        {file && (
          <ActButton
            label={t(texts.file, file.name, bytesText(file.size))}
            onClick={() => void download(runCalls.file, { id: view.id }).catch(() => {})}
          />
        )}
        {view.stoppable && <ActButton label={t(texts.stop)} danger onClick={() => void stop().catch(() => {})} />}
        <ActButton label={t(texts.copy)} onClick={() => void copy()} />
      </div>
      <Screen key={view.id} followed={followed} />
      {result && <RunResult page={page} result={result} />}
    </section>
  );
};
