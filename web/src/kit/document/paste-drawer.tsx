import type { Text } from '@farlink/contract/kit/text.ts';
import { initialValues, keyOf } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { useDeferredValue, useState } from 'react';
import { Toggle } from '../../ui/antd/toggle.tsx';
import { copyText } from '../../ui/browser/copy.ts';
import { AreaInput } from '../../ui/native/area-input.tsx';
import { Button } from '../../ui/native/button.tsx';
import { Panel } from '../../ui/native/panel.tsx';
import { Tag } from '../../ui/native/tag.tsx';
import { colon, t } from '../chrome/lang.ts';
import { confirm, notify } from '../chrome/notify.tsx';
import { discard } from '../form/use-leave-guard.ts';
import { type PastedRow, pastedRows } from './pasted-rows.ts';
import { isPasteable, readPaste } from './row-paste.ts';
import type { Refs } from './value-text.ts';

const texts = {
  title: ['批量粘贴', 'Paste rows'],
  hint: [
    '从表格软件复制（制表符或逗号分隔）。首行可为表头（中文、英文或字段标识）；无表头时按下列顺序：{0}',
    'Copy from a spreadsheet (tab or comma separated). The first line can be a header (Chinese, English or field key). Without a header, the column order is: {0}',
  ],
  copyHead: ['复制表头', 'Copy the heading'],
  copied: ['已复制', 'Copied'],
  notCopied: ['浏览器不允许复制', 'The browser does not allow copying'],
  over: ['覆盖已存在的行', 'Overwrite rows that exist'],
  cancel: ['取消', 'Cancel'],
  take: ['加入 {0} 行', 'Add rows ({0})'],
  added: ['新增 {0}', '{0} new'],
  known: ['覆盖 {0}', '{0} overwritten'],
  skipped: ['跳过 {0}', '{0} skipped'],
  wrong: ['有误 {0}', '{0} wrong'],
  line: ['第{0}行', 'Line {0}'],
  unknown: ['无法识别的列：{0}', 'Unknown columns: {0}'],
  tooMany: ['最多{0}行', 'At most {0} rows'],
  more: ['另有 {0} 行有误', '{0} more lines have errors'],
} as const satisfies Record<string, Text>;

interface PasteDrawerProps {
  readonly page: GatewayPage;
  readonly rows: readonly JsonObject[];
  /** The visible columns, used for pasted data without a header. */
  readonly order: readonly string[];
  readonly refs: Refs;
  readonly onDone: (rows: readonly JsonObject[]) => void;
  readonly onClose: () => void;
}

const maxShownErrors = 50;

/** Pastes many rows; each is validated before any is added. */
const PasteDrawer = ({ page, rows, order, refs, onDone, onClose }: PasteDrawerProps) => {
  const [typed, setTyped] = useState('');
  const [overwrites, setOverwrites] = useState(true);
  const names = order.filter((name) => page.fields[name] && !page.fields[name].reported && isPasteable(page.fields[name]));
  const labels = names.flatMap((name) => (page.fields[name] ? [t(page.fields[name].label)] : []));
  // Validation of thousands of lines takes a moment; typing does not wait for it.
  const checkedText = useDeferredValue(typed);
  const pasted = readPaste(page.fields, checkedText, names);
  const existing = new Set(rows.map((row) => keyOf(page, row)));
  const read = pastedRows(page, pasted, refs, initialValues(page.fields));
  const isKnown = ({ row }: PastedRow) => existing.has(keyOf(page, row));
  const wrong = read.filter(({ error }) => error !== undefined);
  const valid = read.filter(({ error }) => error === undefined);
  const known = valid.filter(isKnown);
  const added = valid.filter((each) => !isKnown(each));
  const taken = overwrites ? valid : added;
  const count = rows.length + added.length;
  const isFull = page.maxRows !== undefined && count > page.maxRows;
  const unknown = (pasted.heads ?? []).filter((_, i) => pasted.columns[i] === undefined);
  const copyHead = async () => ((await copyText(labels.join('\t'))) ? notify.success(t(texts.copied)) : notify.warning(t(texts.notCopied)));
  const close = async () => {
    if (typed.trim() === '' || (await confirm(discard))) onClose();
  };
  const take = () => {
    const changed = new Map(taken.map(({ row }) => [keyOf(page, row), row]));
    onDone([...rows.map((row) => changed.get(keyOf(page, row)) ?? row), ...added.map(({ row }) => row)]);
  };
  return (
    <Panel title={`${t(texts.title)} · ${t(page.title)}`} width={760} onClose={() => void close()}>
      <p className="muted">{t(texts.hint, labels.join(t(['、', ', '])))}</p>
      <AreaInput id="paste-rows" label={t(texts.title)} value={typed} onChange={setTyped} rows={10} isMono />
      <div className="row paste-bar">
        <Button size="small" onClick={() => void copyHead()}>
          {t(texts.copyHead)}
        </Button>
        {known.length > 0 && <Toggle label={t(texts.over)} on={overwrites} onSet={setOverwrites} />}
        <span className="spring" />
        <span className="tags" role="status">
          {added.length > 0 && <Tag color="green">{t(texts.added, added.length)}</Tag>}
          {known.length > 0 && <Tag color="blue">{t(overwrites ? texts.known : texts.skipped, known.length)}</Tag>}
          {wrong.length > 0 && <Tag color="red">{t(texts.wrong, wrong.length)}</Tag>}
        </span>
      </div>
      {unknown.length > 0 && <p className="refusal">{t(texts.unknown, unknown.join(t(['、', ', '])))}</p>}
      {isFull && <p className="refusal">{t(texts.tooMany, page.maxRows ?? 0)}</p>}
      <ul className="paste-wrong">
        {wrong.slice(0, maxShownErrors).map(({ line, error }) => (
          <li key={line} className="refusal">
            {t(texts.line, line)}
            {colon}
            {error}
          </li>
        ))}
      </ul>
      {wrong.length > maxShownErrors && <p className="muted">{t(texts.more, wrong.length - maxShownErrors)}</p>}
      <div className="dialog-foot drawer-foot">
        <span className="spring" />
        <Button onClick={() => void close()}>{t(texts.cancel)}</Button>
        <Button kind="primary" disabled={taken.length === 0 || isFull || checkedText !== typed} onClick={take}>
          {t(texts.take, taken.length)}
        </Button>
      </div>
    </Panel>
  );
};
export default PasteDrawer;
