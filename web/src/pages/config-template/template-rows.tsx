import type { Text } from '@farlink/contract/kit/text.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { useState } from 'react';
import { t } from '../../kit/chrome/lang.ts';
import { ActButton } from '../../ui/native/act-button.tsx';
import { Button } from '../../ui/native/button.tsx';
import { EmptyState } from '../../ui/native/empty-state.tsx';
import { LineInput } from '../../ui/native/line-input.tsx';
import { AddIcon } from '../../ui/theme/icons.ts';
import { TemplateFields } from './template-fields.tsx';
import { type EditedRow, errorsBelow } from './template-values.ts';

const texts = {
  add: ['新增行', 'Add a row'],
  remove: ['删除', 'Remove'],
  none: ['还没有行', 'No rows yet'],
  hint: ['模板按{0}给设备增加或修改行', 'The template adds or changes rows, matched by {0}'],
  only: ['仅修改已有的行', 'Only change existing rows'],
  sets: ['设置 {0} 项', '{0} set'],
  untitled: ['（未命名）', '(no name)'],
  edit: ['编辑', 'Edit'],
  fold: ['收起', 'Fold'],
} as const satisfies Record<string, Text>;

interface TemplateRowsProps {
  readonly page: GatewayPage;
  readonly rows: readonly EditedRow[];
  readonly onRows: (rows: readonly EditedRow[]) => void;
  readonly served: Readonly<Record<string, string>>;
  readonly isKept: (key: string, path: string) => boolean;
  readonly isReadOnly: boolean;
}

/** Rows of a list that a template creates, or changes if they exist. */
export const TemplateRows = ({ page, rows, onRows, served, isKept, isReadOnly }: TemplateRowsProps) => {
  const [open, setOpen] = useState<number | undefined>(rows.length === 0 ? undefined : 0);
  const { keyField = '' } = page;
  const keyLabel = page.fields[keyField]?.label ?? page.title;
  const fields = Object.fromEntries(Object.entries(page.fields).filter(([name]) => name !== keyField));
  const put = (at: number, patch: Partial<EditedRow>) => onRows(rows.map((row, i) => (i === at ? { ...row, ...patch } : row)));
  const add = () => {
    onRows([...rows, { key: '', only: false, set: {} }]);
    setOpen(rows.length);
  };
  return (
    <div className="template-rows">
      {rows.length === 0 && <EmptyState title={t(texts.none)} hint={t(texts.hint, keyLabel)} />}
      <ol>
        {rows.map((row, i) => {
          const errors = errorsBelow(served, `rows[${i}].`);
          const wrongKey = errors[keyField];
          const isOpen = open === i || Object.keys(errors).length > 0;
          const name = row.key || t(texts.untitled);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the row key changes during input
            <li key={i} className="box template-row" data-wrong={Object.keys(errors).length > 0 || undefined}>
              <div className="row template-row-head">
                <strong className="mono">{name}</strong>
                <span className="muted">{t(texts.sets, Object.keys(row.set).length)}</span>
                {row.only && <span className="muted">· {t(texts.only)}</span>}
                <span className="spring" />
                <ActButton label={t(isOpen ? texts.fold : texts.edit)} of={name} onClick={() => setOpen(isOpen ? undefined : i)} />
                {!isReadOnly && (
                  <ActButton label={t(texts.remove)} of={name} danger onClick={() => onRows(rows.filter((_, at) => at !== i))} />
                )}
              </div>
              {isOpen && (
                <div className="template-row-body">
                  <fieldset className="doc-fields template-row-key" disabled={isReadOnly}>
                    <div className="doc-field">
                      <div className="row muted doc-label">
                        <label htmlFor={`row-key-${page.key}-${i}`} className="needed">
                          {t(keyLabel)}
                        </label>
                      </div>
                      <LineInput
                        id={`row-key-${page.key}-${i}`}
                        value={row.key}
                        onChange={(key) => put(i, { key })}
                        isWrong={wrongKey !== undefined}
                        isMono
                        required
                      />
                      {wrongKey && <span className="refusal">{wrongKey}</span>}
                    </div>
                    <label className="check">
                      <input type="checkbox" checked={row.only} onChange={(e) => put(i, { only: e.target.checked })} />
                      {t(texts.only)}
                    </label>
                  </fieldset>
                  <TemplateFields
                    fields={fields}
                    set={row.set}
                    onSet={(set) => put(i, { set })}
                    served={errors}
                    isKept={(path) => isKept(row.key, path)}
                    isReadOnly={isReadOnly}
                  />
                </div>
              )}
            </li>
          );
        })}
      </ol>
      {!isReadOnly && (
        <Button kind="dashed" icon={<AddIcon aria-hidden />} disabled={rows.length >= (page.maxRows ?? 0)} onClick={add}>
          {t(texts.add)}
        </Button>
      )}
    </div>
  );
};
