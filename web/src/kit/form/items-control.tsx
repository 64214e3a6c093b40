import { check } from '@farlink/contract/kit/check.ts';
import type { Field } from '@farlink/contract/kit/field.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';
import { useRef } from 'react';
import { Button } from '../../ui/native/button.tsx';
import { errorId } from '../../ui/native/field-frame.tsx';
import { IconButton } from '../../ui/native/icon-button.tsx';
import { AddIcon, RemoveIcon } from '../../ui/theme/icons.ts';
import '../../ui/styles/items.css';
import { Refusal } from '../../ui/native/refusal.tsx';
import { t } from '../chrome/lang.ts';
import { Control } from './control.tsx';
import { isShown, startValues } from './form-values.ts';
import { usePasswordRule } from './password-rule.ts';

const texts = {
  add: ['添加一行', 'Add a line'],
  line: ['第{0}行', 'Line {0}'],
  remove: ['删除第{0}行', 'Remove line {0}'],
  full: ['最多{0}行', 'At most {0} lines'],
} as const satisfies Record<string, Text>;

interface ItemsControlProps {
  readonly id: string;
  readonly field: Field;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly scope: Values;
  /** Each row then shows its own errors. */
  readonly isWrong: boolean;
}

/** Several records of the same fields, one per row. */
const ItemsControl = ({ id, field, value, onChange, scope, isWrong }: ItemsControlProps) => {
  const env = { passwordRule: usePasswordRule() };
  const list = useRef<HTMLOListElement>(null);
  const fields = field.items ?? {};
  const lines = (Array.isArray(value) ? value : []).filter(isRecord);
  const max = Math.min(...field.rules.map((rule) => rule.max ?? Number.POSITIVE_INFINITY));
  const put = (at: number, patch: Values) => onChange(lines.map((line, i) => (i === at ? { ...line, ...patch } : line)));
  const remove = (at: number) => {
    onChange(lines.filter((_, i) => i !== at));
    // The pressed button is removed, so its neighbour gets the focus.
    requestAnimationFrame(() => list.current?.querySelectorAll<HTMLElement>('.icon-button')[Math.max(0, at - 1)]?.focus());
  };
  return (
    <div className="items" id={id} aria-describedby={isWrong ? errorId(id) : undefined}>
      <ol ref={list}>
        {lines.map((line, at) => {
          const { errors } = check(fields, line, env);
          const own = `${id}-${at}`;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row has no id except its index
            <li key={at} aria-label={t(texts.line, at + 1)}>
              <span className="muted items-no" aria-hidden>
                {at + 1}
              </span>
              {Object.entries(fields)
                .filter(([, item]) => isShown(item, line))
                .map(([name, item]) => {
                  const refusal = isWrong ? errors[name] : undefined;
                  return (
                    <div key={name} className="items-field" data-kind={item.kind}>
                      <label htmlFor={`${own}-${name}`}>{t(item.label)}</label>
                      <Control
                        id={`${own}-${name}`}
                        field={item}
                        value={line[name]}
                        onChange={(next) => put(at, { [name]: next })}
                        scope={scope}
                        isWrong={refusal !== undefined}
                      />
                      <Refusal id={errorId(`${own}-${name}`)} text={refusal && t(refusal)} />
                    </div>
                  );
                })}
              {(lines.length > 1 || !field.required) && (
                <IconButton label={t(texts.remove, at + 1)} onClick={() => remove(at)}>
                  <RemoveIcon aria-hidden />
                </IconButton>
              )}
            </li>
          );
        })}
      </ol>
      <Button
        kind="dashed"
        icon={<AddIcon aria-hidden />}
        disabled={lines.length >= max}
        title={lines.length >= max ? t(texts.full, max) : undefined}
        onClick={() => onChange([...lines, startValues(fields)])}
      >
        {t(texts.add)}
      </Button>
    </div>
  );
};
export default ItemsControl;
