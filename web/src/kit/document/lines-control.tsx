import type { Field } from '@farlink/contract/kit/field.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';
import { initialValues } from '@farlink/gateway/kit/document.ts';
import type { GatewayField, GatewayFields } from '@farlink/gateway/kit/field.ts';
import { type ComponentType, useRef, useState } from 'react';
import { nothing } from '../../ui/format.ts';
import { Button } from '../../ui/native/button.tsx';
import { errorId } from '../../ui/native/field-frame.tsx';
import { IconButton } from '../../ui/native/icon-button.tsx';
import { Refusal } from '../../ui/native/refusal.tsx';
import { AddIcon, RemoveIcon } from '../../ui/theme/icons.ts';
import { t } from '../chrome/lang.ts';
import { controlId, useDocumentContext } from './document-context.ts';
import { FieldControl } from './field-control.tsx';
import { OneField } from './one-field-lines.tsx';

const texts = {
  add: ['添加', 'Add'],
  line: ['第{0}行', 'Line {0}'],
  remove: ['删除第{0}行', 'Remove line {0}'],
  full: ['最多{0}行', 'At most {0} lines'],
  more: ['再显示 {0} 行', 'Show {0} more'],
} as const satisfies Record<string, Text>;

export interface GridProps {
  readonly fields: GatewayFields;
  readonly values: Values;
  /** Path prefix of the fields: `peers[0].` */
  readonly at: string;
  readonly onPut: (patch: Values) => void;
}

interface LinesControlProps {
  readonly path: string;
  readonly field: GatewayField;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** Layout of the fields of a large row. */
  readonly Grid: ComponentType<GridProps>;
}

const step = 50;
const maxTableColumns = 4;

export const maxLines = ({ rules }: Field) => Math.min(...rules.map((rule) => rule.max ?? Number.POSITIVE_INFINITY), 10_000);

/** Nested rows: a table for small ones, a frame for each large one. */
export const LinesControl = ({ path, field, value, onChange, Grid }: LinesControlProps) => {
  const context = useDocumentContext();
  const id = controlId(context, path);
  const [shown, setShown] = useState(step);
  const list = useRef<HTMLDivElement>(null);
  const fields: GatewayFields = field.items ?? {};
  const entries = Object.entries(fields);
  const lines = (Array.isArray(value) ? value : []).filter(isRecord);
  const [only, ...others] = entries;
  if (only && others.length === 0 && ['text', 'choice', 'ref'].includes(only[1].kind))
    return <OneField path={path} field={field} name={only[0]} inner={only[1]} lines={lines} onChange={onChange} />;
  const max = maxLines(field);
  const put = (at: number, patch: Values) => onChange(lines.map((line, i) => (i === at ? { ...line, ...patch } : line)));
  const remove = (at: number) => {
    onChange(lines.filter((_, i) => i !== at));
    // The pressed button is removed, so its neighbour gets the focus.
    requestAnimationFrame(() => list.current?.querySelectorAll<HTMLElement>('.line-remove > button')[Math.max(0, at - 1)]?.focus());
  };
  // Buttons in a read-only document are disabled, so all rows are shown.
  const visible = context.isReadOnly ? lines : lines.slice(0, shown);
  const isTable = entries.length <= maxTableColumns && entries.every(([, inner]) => inner.kind !== 'items');
  const removeOf = (at: number) =>
    !context.isReadOnly && (
      <span className="line-remove">
        <IconButton label={t(texts.remove, at + 1)} onClick={() => remove(at)}>
          <RemoveIcon aria-hidden />
        </IconButton>
      </span>
    );
  return (
    <div className="lines" id={id} ref={list}>
      {isTable && lines.length > 0 && (
        <table>
          <thead>
            <tr>
              {entries.map(([name, inner]) => (
                <th key={name} scope="col" className={inner.required ? 'needed' : undefined}>
                  {t(inner.label)}
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody>
            {visible.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row has no id except its index
              <tr key={at}>
                {entries.map(([name, inner]) => {
                  const own = `${path}[${at}].${name}`;
                  return (
                    <td key={name} data-kind={inner.kind}>
                      {inner.when?.(line) !== false && (
                        <FieldControl
                          path={own}
                          field={inner}
                          value={line[name]}
                          onChange={(next) => put(at, { [name]: next })}
                          label={`${t(texts.line, at + 1)} ${t(inner.label)}`}
                        />
                      )}
                      <Refusal id={errorId(controlId(context, own))} text={context.errors[own]} />
                    </td>
                  );
                })}
                <td>{removeOf(at)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {!isTable && (
        <ol>
          {visible.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row has no id except its index
            <li key={at} aria-label={t(texts.line, at + 1)}>
              <div className="muted line-head">
                <span className="muted items-no">{t(texts.line, at + 1)}</span>
                {removeOf(at)}
              </div>
              <Grid fields={fields} values={line} at={`${path}[${at}].`} onPut={(patch) => put(at, patch)} />
            </li>
          ))}
        </ol>
      )}
      {context.isReadOnly && lines.length === 0 && <span className="muted">{nothing}</span>}
      {lines.length > visible.length && (
        <Button size="small" kind="link" onClick={() => setShown(shown + step)}>
          {t(texts.more, Math.min(step, lines.length - shown))}
        </Button>
      )}
      {!context.isReadOnly && (
        <Button
          size="small"
          kind="dashed"
          icon={<AddIcon aria-hidden />}
          disabled={lines.length >= max}
          title={lines.length >= max ? t(texts.full, max) : undefined}
          onClick={() => {
            onChange([...lines, initialValues(fields)]);
            setShown(Math.max(shown, lines.length + 1));
          }}
        >
          {t(texts.add)}
        </Button>
      )}
    </div>
  );
};
