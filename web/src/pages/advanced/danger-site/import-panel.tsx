import type { DangerImport } from '@farlink/contract/advanced/danger-import.ts';
import { dangerImportFields, dangerSite, dangerSiteCalls } from '@farlink/contract/advanced/danger-site.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { openingState } from '@farlink/contract/user/opening.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { ReadFailed } from '../../../kit/chrome/read-failed.tsx';
import { CallError, call } from '../../../kit/net/call.ts';
import { download } from '../../../kit/net/download.ts';
import { ProgressBar } from '../../../ui/charts/progress-bar.tsx';
import { numberText } from '../../../ui/format.ts';
import { Button } from '../../../ui/native/button.tsx';
import { Panel } from '../../../ui/native/panel.tsx';
import { Point } from '../../../ui/native/tag.tsx';
import '../../../ui/styles/batch.css';

const texts = {
  total: ['共 {0} 行', '{0} rows'],
  success: ['导入 {0}', '{0} imported'],
  fail: ['未导入 {0}', '{0} not imported'],
  running: ['导入在后台进行，可以关闭此面板。', 'The import runs in the background. You can close this panel.'],
  line: ['行', 'Line'],
  reason: ['原因', 'Reason'],
  first: ['仅显示前 {0} 行，完整内容请下载报告。', 'Only the first {0} rows are shown. Download the report for all of them.'],
  report: ['下载未导入的行', 'Download these rows'],
} as const satisfies Record<string, Text>;

const pollMs = 1000;
const isRunning = ({ state }: DangerImport) => state === 'waiting' || state === 'running';

/** Polls the import while it runs; the list is refreshed when it ends. */
const useImport = (id: number) => {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ['dangerImport', id],
    queryFn: () => call(dangerSiteCalls.imported, { id }, { silent: true, overlay: false }),
    retry: false,
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? pollMs : false),
  });
  const isOver = query.data !== undefined && !isRunning(query.data);
  useEffect(() => {
    if (isOver) void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'list' });
  }, [client, isOver]);
  return query;
};

const Faults = ({ errors }: Pick<DangerImport, 'errors'>) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
  <section className="batch-rows" tabIndex={0} aria-label={t(texts.reason)}>
    <table>
      <thead>
        <tr>
          <th scope="col" className="danger-line">
            {t(texts.line)}
          </th>
          <th scope="col">{t(dangerImportFields.domain.label)}</th>
          <th scope="col">{t(texts.reason)}</th>
        </tr>
      </thead>
      <tbody>
        {errors.map(({ line, value, message }) => (
          <tr key={line}>
            <td>{line}</td>
            <td>{value || '-'}</td>
            <td>{message}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

const Outcome = (outcome: DangerImport) => {
  const { id, state, progress, total, success, fail, errors, message } = outcome;
  const label = openingState.find((s) => s.id === state);
  const running = isRunning(outcome);
  const fetchReport = () =>
    download(dangerSiteCalls.report, { id }).catch((error: unknown) => {
      // `call` has shown the error.
      if (!(error instanceof CallError)) throw error;
    });
  return (
    <section className="danger-import" aria-label={t(dangerSite.forms.import.title)}>
      <p className="row batch-counts" role="status">
        <Point color={label?.color}>{label ? t(label.label) : state}</Point>
        <span>{t(texts.total, numberText(total))}</span>
        {!running && <Point color={success > 0 ? 'green' : undefined}>{t(texts.success, numberText(success))}</Point>}
        {!running && <Point color={fail > 0 ? 'red' : undefined}>{t(texts.fail, numberText(fail))}</Point>}
      </p>
      {running && <ProgressBar percent={progress} label={t(dangerSite.forms.import.title)} />}
      {running && <p className="muted">{t(texts.running)}</p>}
      {message && (
        <p className="refusal" role="alert">
          {message}
        </p>
      )}
      {errors.length > 0 && (
        <p>
          <Button onClick={() => void fetchReport()}>{t(texts.report)}</Button>
        </p>
      )}
      {errors.length > 0 && <Faults errors={errors} />}
      {fail > errors.length && errors.length > 0 && <p className="muted">{t(texts.first, limits.namedFaults)}</p>}
    </section>
  );
};

/** Progress and result of an import. */
const ImportPanel = ({ id, onClose }: { readonly id: number; readonly onClose: () => void }) => {
  const { data, isError, refetch } = useImport(id);
  return (
    <Panel title={t(dangerSite.forms.import.title)} width={720} onClose={onClose}>
      {data ? <Outcome {...data} /> : isError && <ReadFailed retry={() => void refetch()} />}
    </Panel>
  );
};
export default ImportPanel;
