import type { Text } from '@farlink/contract/kit/text.ts';
import { bytesText, rateText } from '@farlink/contract/kit/units.ts';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { t } from '../../../kit/chrome/lang.ts';
import { nothing, timeText, yesNo } from '../../../ui/format.ts';
import { Tag } from '../../../ui/native/tag.tsx';

/** Labels of result fields; other names are page fields or are shown as they are. */
const names: Readonly<Record<string, Text>> = {
  hop: ['跳', 'Hop'],
  host: ['目标', 'Host'],
  ip: ['IP地址', 'IP address'],
  sent: ['发送', 'Sent'],
  received: ['接收', 'Received'],
  loss: ['丢包率（%）', 'Loss (%)'],
  min: ['最小时延（ms）', 'Shortest (ms)'],
  avg: ['平均时延（ms）', 'Average (ms)'],
  max: ['最大时延（ms）', 'Longest (ms)'],
  reached: ['到达目标', 'Reached'],
  rtt: ['时延（ms）', 'Round trip (ms)'],
  status: ['状态', 'Status'],
  server: ['服务器', 'Server'],
  ms: ['耗时（ms）', 'Took (ms)'],
  name: ['名称', 'Name'],
  type: ['类型', 'Type'],
  ttl: ['TTL', 'TTL'],
  data: ['记录', 'Record'],
  packets: ['报文数', 'Packets'],
  bytes: ['字节数', 'Bytes'],
  latency: ['时延（ms）', 'Latency (ms)'],
  used_mb: ['消耗流量（MB）', 'Data used (MB)'],
  down_kbps: ['下行速率', 'Download'],
  up_kbps: ['上行速率', 'Upload'],
  ok: ['正常', 'Passed'],
  warnings: ['警告', 'Warnings'],
  failed: ['失败', 'Failed'],
  item: ['检查项', 'Check'],
  state: ['结果', 'Result'],
  detail: ['说明', 'Details'],
  sections: ['配置页数', 'Sections'],
  differences: ['差异数', 'Differences'],
  applied: ['已应用', 'Applied'],
  version: ['版本', 'Version'],
  previous: ['原版本', 'Version before'],
  scheduled_at: ['预约时间', 'Scheduled for'],
  upgraded: ['已升级', 'Upgraded'],
  ap: ['AP', 'AP'],
  mac: ['MAC地址', 'MAC address'],
  result: ['结果', 'Result'],
  from: ['原链路', 'From'],
  link: ['链路', 'Link'],
  sessions: ['清除会话数', 'Sessions flushed'],
  size: ['大小', 'Size'],
  target: ['对象', 'Target'],
  operation: ['操作', 'Operation'],
};
const results: Readonly<Record<string, { readonly label: Text; readonly hue: string }>> = {
  ok: { label: ['正常', 'OK'], hue: 'green' },
  success: { label: ['成功', 'Success'], hue: 'green' },
  warning: { label: ['警告', 'Warning'], hue: 'orange' },
  fail: { label: ['失败', 'Failed'], hue: 'red' },
};
/** The database does not keep the order of JSON keys. */
const positionOf = (name: string) => {
  const position = Object.keys(names).indexOf(name);
  return position < 0 ? Number.POSITIVE_INFINITY : position;
};
const inOrder = <T extends readonly [string, unknown]>(entries: readonly T[]) =>
  entries.toSorted(([a], [b]) => positionOf(a) - positionOf(b));

const nameOf = (page: GatewayPage, key: string) => t(names[key] ?? page.fields[key]?.label ?? [key, key]);

const Value = ({ page, name, value }: { readonly page: GatewayPage; readonly name: string; readonly value: unknown }) => {
  if (value === null || value === undefined || value === '') return nothing;
  if (typeof value === 'boolean') return t(yesNo(value));
  if (name === 'scheduled_at') return timeText(value);
  if (name === 'down_kbps' || name === 'up_kbps') return rateText(Number(value));
  if (name === 'size' || name === 'bytes') return bytesText(Number(value));
  const text = String(value);
  // Checks and choices have the labels of the form.
  if (name === 'item') return t(page.fields[text]?.label ?? [text, text]);
  const option = Object.values(page.fields)
    .flatMap((field) => field.options ?? [])
    .find(({ id }) => id === value);
  const shown = name === 'operation' || name === 'target' ? (option ? t(option.label) : text) : text;
  const result = results[text];
  if (result) return <Tag color={result.hue}>{t(result.label)}</Tag>;
  return <span className={/^(ip|mac|host)$/.test(name) ? 'mono' : undefined}>{shown}</span>;
};

const Rows = ({ page, rows }: { readonly page: GatewayPage; readonly rows: readonly Values[] }) => {
  const columns = inOrder([...new Set(rows.flatMap((row) => Object.keys(row)))].map((name) => [name, name] as const)).map(([name]) => name);
  return (
    <table>
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col">
              {nameOf(page, name)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: result rows of a gateway have no id
          <tr key={i}>
            {columns.map((name) => (
              <td key={name}>
                <Value page={page} name={name} value={row[name]} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/** Result of a run: single values in a line, lists in a table. */
export const RunResult = ({ page, result }: { readonly page: GatewayPage; readonly result: Values }) => {
  const entries = inOrder(Object.entries(result)).filter(([, value]) => !isRecord(value));
  const lists = entries.flatMap(([name, value]) => (Array.isArray(value) ? [{ name, rows: value.filter(isRecord) }] : []));
  const single = entries.filter(([, value]) => !Array.isArray(value));
  if (single.length + lists.length === 0) return null;
  return (
    <div className="run-result">
      {single.length > 0 && (
        <dl className="flow">
          {single.map(([name, value]) => (
            <div key={name}>
              <dt>{nameOf(page, name)}</dt>
              <dd>
                <Value page={page} name={name} value={value} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {lists.map(({ name, rows }) => rows.length > 0 && <Rows key={name} page={page} rows={rows} />)}
    </div>
  );
};
