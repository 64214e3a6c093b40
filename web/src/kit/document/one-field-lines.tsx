import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import type { GatewayField } from '@farlink/gateway/kit/field.ts';
import { useState } from 'react';
import { AreaInput } from '../../ui/native/area-input.tsx';
import { CheckboxRow } from '../../ui/native/checkbox-row.tsx';
import { errorId } from '../../ui/native/field-frame.tsx';
import { Refusal } from '../../ui/native/refusal.tsx';
import { t } from '../chrome/lang.ts';
import { controlId, useDocumentContext } from './document-context.ts';
import { RefLink, refOptions } from './ref-control.tsx';

const texts = {
  perLine: ['每行一项：{0}', 'One per line: {0}'],
  count: ['{0} / {1} 项', '{0} of {1}'],
  wrong: ['“{0}”：{1}', '"{0}": {1}'],
  nothing: ['没有可选项', 'Nothing to choose from'],
} as const satisfies Record<string, Text>;

interface OneFieldProps {
  readonly path: string;
  readonly field: GatewayField;
  readonly name: string;
  readonly inner: GatewayField;
  readonly lines: readonly Values[];
  readonly onChange: (value: unknown) => void;
}

/** If entries have a pattern, a comma also separates them. */
const entriesOf = (typed: string, inner: GatewayField) =>
  typed.split(inner.rules.length > 0 ? /[\n,，;；]/ : /\n/).flatMap((entry) => entry.trim() || []);

const shownErrors = 3;

/** Texts, one per line, so that whole lists can be pasted. */
const TextLines = ({ path, field, name, inner, lines, onChange }: OneFieldProps) => {
  const context = useDocumentContext();
  const id = controlId(context, path);
  const entries = lines.map((line) => String(line[name] ?? ''));
  const [typed, setTyped] = useState(entries.join('\n'));
  // The value changed from outside: another revision or row.
  const isMine = entriesOf(typed, inner).join('\n') === entries.join('\n');
  const max = Math.min(...field.rules.map((rule) => rule.max ?? Number.POSITIVE_INFINITY));
  const wrong = entries.flatMap((entry, i) => {
    const error = context.errors[`${path}[${i}].${name}`];
    return error === undefined ? [] : [{ entry, error }];
  });
  const type = (next: string) => {
    setTyped(next);
    onChange(entriesOf(next, inner).map((entry) => ({ [name]: entry })));
  };
  return (
    <>
      <AreaInput
        id={id}
        value={isMine ? typed : entries.join('\n')}
        onChange={type}
        isMono
        isWrong={wrong.length > 0 || context.errors[path] !== undefined}
        required={field.required}
        placeholder={t(texts.perLine, inner.label)}
        describedBy={wrong.length > 0 ? `${id}-lines-error` : context.errors[path] === undefined ? undefined : errorId(id)}
      />
      {entries.length > 0 && Number.isFinite(max) && <span className="hint">{t(texts.count, entries.length, max)}</span>}
      <Refusal
        id={`${id}-lines-error`}
        text={
          wrong
            .slice(0, shownErrors)
            .map(({ entry, error }) => t(texts.wrong, entry, error))
            .join('\n') || undefined
        }
      />
    </>
  );
};

/** Checkboxes for some of the existing rows. */
const Ticks = ({ path, field, name, inner, lines, onChange }: OneFieldProps) => {
  const context = useDocumentContext();
  const id = controlId(context, path);
  const chosen = lines.map((line) => String(line[name] ?? ''));
  const options =
    inner.kind === 'ref'
      ? refOptions(inner, context.refs, chosen)
      : (inner.options ?? []).map((o) => ({ value: String(o.id), label: t(o.label) }));
  const idOf = (value: string) => inner.options?.find((o) => String(o.id) === value)?.id ?? value;
  return (
    <div className="ref-control">
      {options.length === 0 ? (
        <span id={id} className="muted">
          {t(texts.nothing)}
        </span>
      ) : (
        <CheckboxRow
          id={id}
          label={t(field.label)}
          options={options}
          chosen={chosen}
          onChange={(next) => onChange(next.map((value) => ({ [name]: idOf(value) })))}
          describedBy={context.errors[path] === undefined ? undefined : errorId(id)}
        />
      )}
      <RefLink field={inner} />
    </div>
  );
};

/** Nested rows with one field need no frames. */
export const OneField = (props: OneFieldProps) => (props.inner.kind === 'text' ? <TextLines {...props} /> : <Ticks {...props} />);
