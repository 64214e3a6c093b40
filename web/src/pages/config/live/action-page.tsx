import { configRun, runCalls } from '@farlink/contract/config/run.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { useLiveRefresh } from '../../../kit/live/use-live.ts';
import { call } from '../../../kit/net/call.ts';
import { Button } from '../../../ui/native/button.tsx';
import { Callout } from '../../../ui/native/callout.tsx';
import { PageHead } from '../frame/page-head.tsx';
import { useTree } from '../use-config.ts';
import type { LivePageProps } from './live-page.ts';
import { PastList } from './past-list.tsx';
import { RunConsole } from './run-console.tsx';
import { useRun } from './use-run.ts';
import { useValues } from './use-values.ts';
import { ValuesFields, ValuesForm } from './values-form.tsx';

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
  const { data: tree } = useTree(deviceId);
  useLiveRefresh(['list', listKey], ['command'], [deviceId]);
  const start = () =>
    form.send(async (args) => {
      const { id } = await call(runCalls.run, { device_id: deviceId, page: page.key, args }, { silent: true, overlay: false });
      setRun(id);
      // A confirmation is valid for one run.
      if (page.fields.confirm) form.put({ confirm: false });
    });
  const foot = (
    <>
      <Button kind="primary" type="submit" disabled={!writable} loading={form.isBusy}>
        {t(texts.run)}
      </Button>
      {!writable && <span className="hint">{t(texts.readOnly)}</span>}
    </>
  );
  return (
    <>
      <PageHead page={page}>{tree?.device.online_state === 0 && writable && <Callout tone="warning">{t(texts.offline)}</Callout>}</PageHead>
      <div className="columns wide run-panes">
        <ValuesForm page={page} onSubmit={() => void start()} foot={foot}>
          <ValuesFields deviceId={deviceId} page={page} writable={writable} form={form} />
        </ValuesForm>
        <RunConsole page={page} followed={followed} isPending={run !== undefined} />
      </div>
      <PastList page={runList} params={{ device_id: deviceId, section: page.key }} run={{ show: (row) => setRun(row.id) }} />
    </>
  );
};
export default ActionPage;
