import { receiptFields } from '@farlink/contract/finance/receipt.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { opResult } from '@farlink/contract/user/choices.ts';
import { type OpeningProgress, openingCalls, openingState, openingWay } from '@farlink/contract/user/opening.ts';
import { batchOutcome } from '@farlink/contract/user/user-batch.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { t } from '../../kit/chrome/lang.ts';
import { confirm } from '../../kit/chrome/notify.tsx';
import { ReadFailed } from '../../kit/chrome/read-failed.tsx';
import { Cell } from '../../kit/list/cell.tsx';
import { fieldHref } from '../../kit/list/field-href.ts';
import { LinkedText } from '../../kit/list/linked-text.tsx';
import { CallError, call } from '../../kit/net/call.ts';
import { download } from '../../kit/net/download.ts';
import { useMe } from '../../kit/net/session.ts';
import { ProgressBar } from '../../ui/charts/progress-bar.tsx';
import { numberText } from '../../ui/format.ts';
import { Button } from '../../ui/native/button.tsx';
import { Point } from '../../ui/native/tag.tsx';
import '../../ui/styles/batch.css';
import './opening.css';

const ReceiptDialog = lazy(() => import('../../kit/actions/receipt-dialog.tsx'));

const texts = {
  title: ['开户结果', 'Result'],
  total: ['共 {0} 个', '{0} in all'],
  success: ['成功 {0}', '{0} succeeded'],
  fail: ['失败 {0}', '{0} failed'],
  running: [
    '任务在后台执行，可离开此页面，稍后在“我的批量开户”中查看。',
    'This runs in the background. You can leave this page and find the task later under "My openings".',
  ],
  line: ['行', 'Row'],
  rowNo: ['序号', 'No.'],
  none: ['已选择全部成功才导入：{0} 行有误，全部未导入。', 'All or nothing: {0} lines have errors, so nothing was imported.'],
  first: ['仅显示前 {0} 条失败记录，完整内容请下载清单。', 'Only the first {0} failures are shown. Download the list for all of them.'],
  failures: ['下载失败清单', 'Download the failures'],
  cards: ['下载账号密码清单', 'Download accounts and passwords'],
  once: [
    '密码清单仅可下载一次，请立即下载并妥善保管。',
    'The password list can be downloaded only once. Download it now and keep it safe.',
  ],
  downloaded: ['密码清单已下载。', 'Password list downloaded.'],
  receipt: ['收据', 'Receipt'],
  cancel: ['取消任务', 'Cancel'],
  cancelling: ['尚未开户的账号不再开户。确定取消该任务吗？', 'Accounts not opened yet will not be opened. Cancel this task?'],
  task: ['{0}，共 {1} 个', '{0}, {1} in all'],
} as const satisfies Record<string, Text>;

const pollMs = 1000;
const isRunning = (state: OpeningProgress['state']) => state === 'waiting' || state === 'running';
/** The error is already shown by `call`. */
const ignoreRefusal = (error: unknown) => {
  if (!(error instanceof CallError)) throw error;
};

/** Polls an opening while it runs; other lists are refreshed when it ends. */
const useOpening = (id: number) => {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ['opening', id],
    queryFn: () => call(openingCalls.read, { id }, { silent: true, overlay: false }),
    retry: false,
    refetchInterval: ({ state }) => (state.data && isRunning(state.data.state) ? pollMs : false),
  });
  const state = query.data?.state;
  useEffect(() => {
    if (state !== undefined && !isRunning(state)) void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'list' });
  }, [client, state]);
  return { opening: query.data, failed: query.isError, reload: () => void query.refetch() };
};

const Faults = ({ opening }: { readonly opening: OpeningProgress }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
  <section className="batch-rows" tabIndex={0} aria-label={t(texts.fail, opening.fail)}>
    <table>
      <thead>
        <tr>
          <th scope="col" className="opening-line">
            {t(opening.way === 'open_import' ? texts.line : texts.rowNo)}
          </th>
          <th scope="col">{t(batchOutcome.fields.account.label)}</th>
          <th scope="col" className="opening-result">
            {t(batchOutcome.fields.result.label)}
          </th>
          <th scope="col">{t(batchOutcome.fields.message.label)}</th>
        </tr>
      </thead>
      <tbody>
        {opening.errors.map((fault) => (
          <tr key={fault.row}>
            <td>{fault.row}</td>
            <td className="mono">{fault.account || '-'}</td>
            <td>
              <Cell field={batchOutcome.fields.result} value={opResult[1].id} />
            </td>
            <td>{fault.message}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

const Report = ({ opening, reload }: { readonly opening: OpeningProgress; readonly reload: () => void }) => {
  const isCards = opening.way === 'open_temp';
  if (!opening.report) return isCards && opening.success > 0 ? <p className="muted">{t(texts.downloaded)}</p> : null;
  const fetch = async () => {
    await download(openingCalls.report, { id: opening.id });
    reload();
  };
  return (
    <p className="row opening-report">
      <Button kind={isCards ? 'primary' : 'default'} onClick={() => void fetch().catch(ignoreRefusal)}>
        {t(isCards ? texts.cards : texts.failures)}
      </Button>
      {isCards && <span className="opening-once">{t(texts.once)}</span>}
    </p>
  );
};

const ReceiptButton = ({ billNo }: { readonly billNo: string }) => {
  const me = useMe();
  const [isOpen, setOpen] = useState(false);
  return (
    <p className="row opening-report">
      <Button onClick={() => setOpen(true)}>{t(texts.receipt)}</Button>
      <span className="mono">
        <LinkedText text={billNo} href={fieldHref(receiptFields.bill_no, { bill_no: billNo }, me)} />
      </span>
      <Suspense>
        {isOpen && <ReceiptDialog bills={[{ bill_no: billNo, name: '', received: '0.00' }]} onClose={() => setOpen(false)} />}
      </Suspense>
    </p>
  );
};

/** Progress of an opening: counts, and the reasons of failures. */
export const OpeningView = ({ id }: { readonly id: number }) => {
  const { opening, failed, reload } = useOpening(id);
  const container = useRef<HTMLElement>(null);
  const isThere = opening !== undefined;
  // Below a long form it would be out of view.
  useEffect(() => {
    if (isThere) container.current?.scrollIntoView({ block: 'center' });
  }, [isThere]);
  if (!opening) return failed ? <ReadFailed retry={reload} /> : null;
  const state = openingState.find((s) => s.id === opening.state);
  const running = isRunning(opening.state);
  const named = opening.errors.length;
  const cancel = async () => {
    const way = openingWay.find((o) => o.id === opening.way)?.label ?? texts.title;
    if (!(await confirm(texts.cancelling, { danger: true, of: t(texts.task, t(way), numberText(opening.total)) }))) return;
    await call(openingCalls.cancel, { id }).catch(ignoreRefusal);
    reload();
  };
  return (
    <section className="opening" ref={container} aria-label={t(texts.title)}>
      <p className="row batch-counts" role="status">
        <Point color={state?.color}>{state ? t(state.label) : opening.state}</Point>
        <span>{t(texts.total, numberText(opening.total))}</span>
        {!running && <Point color={opening.success > 0 ? 'green' : undefined}>{t(texts.success, numberText(opening.success))}</Point>}
        {!running && <Point color={opening.fail > 0 ? 'red' : undefined}>{t(texts.fail, numberText(opening.fail))}</Point>}
        <span className="spring" />
        {running && (
          <Button size="small" onClick={() => void cancel()}>
            {t(texts.cancel)}
          </Button>
        )}
      </p>
      {running && <ProgressBar percent={opening.progress} label={t(texts.title)} />}
      {running && <p className="muted">{t(texts.running)}</p>}
      {opening.message && (
        <p className="refusal" role="alert">
          {opening.message}
        </p>
      )}
      <Report opening={opening} reload={reload} />
      {opening.bill_no !== null && <ReceiptButton billNo={opening.bill_no} />}
      {opening.errors.length > 0 && <Faults opening={opening} />}
      {opening.fail > named && named > 0 && <p className="muted">{t(named < limits.namedFaults ? texts.none : texts.first, named)}</p>}
    </section>
  );
};
