import type { Values } from '@farlink/contract/kit/field.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { GatewayField } from '@farlink/gateway/kit/field.ts';
import { useState } from 'react';
import { AreaInput } from '../../ui/area-input.tsx';
import { errorId } from '../../ui/field-frame.tsx';
import { CheckboxRow } from '../../ui/native/checkbox-row.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import { t } from '../lang.ts';
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

/** Where the form of an entry is known, a comma cannot be part of it. */
const entriesOf = (typed: string, inner: GatewayField) =>
  typed.split(inner.rules.length > 0 ? /[\n,，;；]/ : /\n/).flatMap((entry) => entry.trim() || []);

const shownErrors = 3;

/** Texts, one a line: whole lists are pasted at once. */
const TextLines = ({ path, field, name, inner, lines, onChange }: OneFieldProps) => {
  const context = useDocumentContext();
  const id = controlId(context, path);
  const entries = lines.map((line) => String(line[name] ?? ''));
  const [typed, setTyped] = useState(entries.join('\n'));
  // Somebody else wrote them: another revision, another row.
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

/** Some of what there is. */
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

/** Records of one field need no frames around them. */
export const OneField = (props: OneFieldProps) => (props.inner.kind === 'text' ? <TextLines {...props} /> : <Ticks {...props} />);
