import { exportCalls, exportFormat, exportInput, exportState } from '@farlink/contract/export/export.ts';
import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { bytesText } from '@farlink/contract/kit/units.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { RadioGroup } from '../../ui/antd/radio-group.ts';
import { numberText, timeText } from '../../ui/format.ts';
import { ActButton } from '../../ui/native/act-button.tsx';
import { Button } from '../../ui/native/button.tsx';
import { EmptyState } from '../../ui/native/empty-state.tsx';
import { Panel } from '../../ui/native/panel.tsx';
import { TaskItem } from '../../ui/native/task-item.tsx';
import { t } from '../chrome/lang.ts';
import { notify } from '../chrome/notify.tsx';
import { CallError, call } from '../net/call.ts';
import { download } from '../net/download.ts';

const texts = {
  title: ['导出', 'Export'],
  start: ['开始导出', 'Start export'],
  started: ['导出任务已创建', 'Export started'],
  hint: ['按当前筛选条件导出', 'Exports all rows that match the current filters'],
  chosen: ['导出所选的 {0} 条数据', 'Exports the {0} selected rows'],
  mine: ['我的导出', 'My exports'],
  none: ['还没有导出任务', 'No exports yet'],
  failed: ['导出任务加载失败', 'The exports could not be loaded'],
  download: ['下载', 'Download'],
  cancel: ['取消', 'Cancel'],
  remove: ['删除', 'Remove'],
  rows: ['{0} 行', '{0} rows'],
} as const satisfies Record<string, Text>;

const pollMs = 2000;
const key = ['export'];
type Job = Awaited<ReturnType<typeof fetchJobs>>['list'][number];
const fetchJobs = () => call(exportCalls.list, { page: 1, limit: 20, orderby: 'create_at desc', filters: {} }, { silent: true });

const JobRow = ({ job, reload }: { readonly job: Job; readonly reload: () => void }) => {
  const state = exportState.options.find((o) => o.id === job.state);
  const isRunning = exportState.can('cancel', job.state);
  const remove = async () => {
    await call(exportCalls.remove, { id: job.id });
    reload();
  };
  const facts = [
    ...(job.row_count === null ? [] : [t(texts.rows, numberText(job.row_count))]),
    ...(job.file_size === null ? [] : [bytesText(job.file_size)]),
    timeText(job.create_at),
  ];
  return (
    <TaskItem
      name={job.file_name ?? job.title ?? ''}
      state={state ? t(state.label) : String(job.state)}
      color={state?.color}
      facts={facts}
      percent={isRunning ? (job.progress ?? 0) : undefined}
      problem={job.message}
    >
      {exportState.can('download', job.state) && (
        <ActButton label={t(texts.download)} onClick={() => void download(exportCalls.download, { id: job.id }).catch(ignoreRefusal)} />
      )}
      <ActButton label={t(isRunning ? texts.cancel : texts.remove)} danger onClick={() => void remove().catch(ignoreRefusal)} />
    </TaskItem>
  );
};

/** The error is already shown by `call`. */
const ignoreRefusal = (error: unknown) => {
  if (!(error instanceof CallError)) throw error;
};

interface ExportDrawerProps {
  readonly title: string;
  /** The export call; without it the drawer only lists existing exports. */
  readonly call?: Endpoint;
  readonly filters?: Values;
  /** Number of selected rows, if only those are exported. */
  readonly count?: number;
  readonly onClose: () => void;
}

/** Starts an export of the list and shows its progress; polls only while one is running and the drawer is open. */
const ExportDrawer = ({ title, call: start, filters = {}, count, onClose }: ExportDrawerProps) => {
  // Some lists also offer a print format.
  const { options: formats = exportFormat, default: first = 'csv' } = start?.input?.format ?? {};
  const [format, setFormat] = useState<unknown>(first);
  // Other choices of the export call.
  const choices = Object.entries(start?.input ?? {}).filter(
    ([name, field]) => name !== 'format' && field.kind === 'choice' && !field.hidden,
  );
  const [chosen, setChosen] = useState<Values>(() => Object.fromEntries(choices.map(([name, field]) => [name, field.default])));
  const [busy, setBusy] = useState(false);
  const client = useQueryClient();
  const { data, isError } = useQuery({
    queryKey: key,
    queryFn: fetchJobs,
    retry: false,
    refetchInterval: ({ state }) => (state.data?.list.some((job) => exportState.can('cancel', job.state)) ? pollMs : false),
  });
  const reload = () => void client.invalidateQueries({ queryKey: key });
  const begin = async (start: Endpoint) => {
    setBusy(true);
    try {
      await call(start, { ...filters, ...chosen, format }, { overlay: false });
      notify.success(t(texts.started));
      reload();
    } catch (error) {
      ignoreRefusal(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Panel title={start ? `${t(texts.title)} · ${title}` : title} onClose={onClose}>
      {start && (
        <>
          <div className="row task-start">
            <RadioGroup
              aria-label={t(exportInput.format.label)}
              value={format}
              onChange={(e) => setFormat(e.target.value)}
              options={formats.map((o) => ({ value: o.id, label: t(o.label) }))}
            />
            {choices.map(([name, field]) => (
              <RadioGroup
                key={name}
                aria-label={t(field.label)}
                value={chosen[name]}
                onChange={(e) => setChosen({ ...chosen, [name]: e.target.value })}
                options={field.options?.map((o) => ({ value: o.id, label: t(o.label) })) ?? []}
              />
            ))}
            <Button kind="primary" loading={busy} onClick={() => void begin(start)}>
              {t(texts.start)}
            </Button>
          </div>
          <p className="muted">{count === undefined ? t(texts.hint) : t(texts.chosen, count)}</p>
          <h3>{t(texts.mine)}</h3>
        </>
      )}
      <ul>
        {data?.list.map((job) => (
          <JobRow key={job.id} job={job} reload={reload} />
        ))}
      </ul>
      {data?.list.length === 0 && <EmptyState title={t(texts.none)} />}
      {isError && <EmptyState title={t(texts.failed)} />}
    </Panel>
  );
};
export default ExportDrawer;
