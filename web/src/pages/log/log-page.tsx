import type { Text } from '@farlink/contract/kit/text.ts';
import { type LogDetail, type LogResult, logCalls, operatorLog } from '@farlink/contract/log/operator-log.ts';
import { useState } from 'react';
import { t } from '../../kit/chrome/lang.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';
import type { ListPage } from '../../kit/list/use-list.ts';
import { call } from '../../kit/net/call.ts';
import { nothing, timeText } from '../../ui/format.ts';
import { Panel } from '../../ui/native/panel.tsx';
import '../../ui/styles/drawer.css';
import './log.css';

const texts = {
  title: ['日志详情', 'Log entry'],
  account: ['操作账号', 'Account'],
  vno: ['所属VNO', 'VNO'],
  time: ['操作时间', 'Operated at'],
  content: ['操作内容', 'Content'],
  reason: ['失败原因', 'Reason'],
  changes: ['变更内容', 'What changed'],
  field: ['字段', 'Field'],
  before: ['变更前', 'Before'],
  after: ['变更后', 'After'],
  none: ['没有字段变更', 'No field changed'],
} as const satisfies Record<string, Text>;

const resultText = (result: LogResult) => {
  const label = operatorLog.fields.result.options?.find(({ id }) => id === result)?.label;
  return label ? t(label) : result;
};

const Detail = ({ entry, onClose }: { readonly entry: LogDetail; readonly onClose: () => void }) => {
  const facts: readonly (readonly [Text, string | null])[] = [
    [texts.account, `${entry.username} (${entry.name})`],
    [operatorLog.fields.acted_by.label, entry.acted_by],
    [texts.vno, entry.agent_name],
    [texts.time, timeText(entry.create_at)],
    [texts.content, entry.content],
    [operatorLog.fields.result.label, resultText(entry.result)],
    [texts.reason, entry.message],
    [operatorLog.fields.ip.label, entry.ip],
    [operatorLog.fields.user_agent.label, entry.user_agent],
  ];
  return (
    <Panel title={t(texts.title)} width={720} onClose={onClose}>
      <dl className="record-view">
        {facts.flatMap(([label, value]) =>
          value === null
            ? []
            : [
                <div key={label[0]}>
                  <dt>{t(label)}</dt>
                  <dd>{value}</dd>
                </div>,
              ],
        )}
      </dl>
      <h3 className="differences-title">{t(texts.changes)}</h3>
      {entry.differences.length === 0 ? (
        <p className="muted">{t(texts.none)}</p>
      ) : (
        <table className="differences">
          <thead>
            <tr>
              <th scope="col">{t(texts.field)}</th>
              <th scope="col">{t(texts.before)}</th>
              <th scope="col">{t(texts.after)}</th>
            </tr>
          </thead>
          <tbody>
            {entry.differences.map((d) => (
              <tr key={d.field}>
                <th scope="row">{d.label}</th>
                <td className="before">{d.before ?? nothing}</td>
                <td className="after">{d.after ?? nothing}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
};

/** Both logs: a list, and the changes of each entry, before and after. */
export const LogPage = ({ page }: { readonly page: ListPage }) => {
  const [entry, setEntry] = useState<LogDetail>();
  const read = async (id: number) => setEntry(await call(logCalls.read, { id }));
  return (
    <>
      <ResourcePage page={page} run={{ detail: (row) => read(row.id) }} />
      {entry && <Detail entry={entry} onClose={() => setEntry(undefined)} />}
    </>
  );
};
