import { configRun, runCalls } from '@farlink/contract/config/run.ts';
import { errors } from '@farlink/contract/errors.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { notify } from '../../../kit/chrome/notify.tsx';
import { DocumentFields } from '../../../kit/document/document-fields.tsx';
import { EmbeddedList } from '../../../kit/list/embedded-list.tsx';
import { useLiveRefresh } from '../../../kit/live/use-live.ts';
import { CallError, call } from '../../../kit/net/call.ts';
import { Button } from '../../../ui/antd/button.ts';
import { Callout } from '../../../ui/native/callout.tsx';
import './live.css';
import { uploadOf } from '../section/section.ts';
import { useValues } from '../section/values-form.ts';
import { usePageData, useTree } from '../use-config.ts';
import type { LivePageProps } from './live-page.ts';
import { RunConsole } from './run-console.tsx';
import { useRun } from './use-run.ts';

const texts = {
  run: ['执行', 'Run'],
  readOnly: ['您仅有查看权限，不能执行', 'You have view-only permission and cannot run this'],
  offline: ['设备离线：提交后将等待其上线再执行', 'The device is offline. This runs when it comes online.'],
  past: ['执行记录', 'Past runs'],
} as const satisfies Record<string, Text>;

const listKey = 'configRuns';
const runList = {
  key: listKey,
  title: texts.past,
  list: runCalls.runs,
  resource: configRun,
  actions: { show: { on: 'row', label: ['查看输出', 'Show output'], call: runCalls.read } },
} as const;

/** An action page: arguments on the left, output on the right, earlier runs below. */
const ActionPage = ({ deviceId, page, writable }: LivePageProps) => {
  const form = useValues(page);
  const [run, setRun] = useState<number>();
  const followed = useRun(deviceId, run);
  const { data } = usePageData(deviceId, page.key);
  const { data: tree } = useTree(deviceId);
  useLiveRefresh(['list', listKey], ['command'], [deviceId]);
  const start = () =>
    form.send(async (args) => {
      try {
        const { id } = await call(runCalls.run, { device_id: deviceId, page: page.key, args }, { silent: true, overlay: false });
        setRun(id);
        // A confirmation is valid for one run.
        if (page.fields.confirm) form.put({ confirm: false });
      } catch (error) {
        if (error instanceof CallError && error.code !== errors.bad_input.code) notify.error(error.message);
        throw error;
      }
    });
  return (
    <>
      <header className="config-page-head">
        <div>
          <h2>{t(page.title)}</h2>
        </div>
        <p className="muted">{t(page.summary)}</p>
        {tree?.device.online_state === 0 && writable && <Callout tone="warning">{t(texts.offline)}</Callout>}
      </header>
      <div className="run-desk">
        <form
          noValidate
          aria-label={t(page.title)}
          onSubmit={(e) => {
            e.preventDefault();
            void start();
          }}
        >
          <DocumentFields
            id={form.id}
            fields={page.fields}
            values={form.values}
            onPut={form.put}
            state={form.state}
            refs={data?.refs ?? {}}
            isReadOnly={!writable}
            upload={uploadOf(deviceId, page.key)}
          />
          <div className="run-foot">
            <Button type="primary" htmlType="submit" disabled={!writable} loading={form.isBusy}>
              {t(texts.run)}
            </Button>
            {!writable && <span className="hint">{t(texts.readOnly)}</span>}
          </div>
        </form>
        <RunConsole page={page} followed={followed} isPending={run !== undefined} />
      </div>
      <section className="run-past" aria-label={t(texts.past)}>
        <h3>{t(texts.past)}</h3>
        <EmbeddedList page={runList} params={{ device_id: deviceId, section: page.key }} run={{ show: (row) => setRun(row.id) }} />
      </section>
    </>
  );
};
export default ActionPage;
