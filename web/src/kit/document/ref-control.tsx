import type { Field } from '@farlink/contract/kit/field.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import { NativeSelect } from '../../ui/native/select.tsx';
import { t } from '../chrome/lang.ts';
import { textOf } from '../form/typed-text.ts';
import { useDocumentContext } from './document-context.ts';
import type { Refs } from './value-text.ts';

const SearchSelect = lazy(async () => ({ default: (await import('../../ui/antd/select.tsx')).AntdSelect<string> }));

const texts = {
  none: ['（不指定）', '(none)'],
  choose: ['请选择', 'Please select'],
  missing: ['{0}（已不存在）', '{0} (no longer exists)'],
  open: ['打开来源页面', 'Open the source page'],
} as const satisfies Record<string, Text>;

const searchableAbove = 60;

/** The rows that a reference can have, and the current one even if it was removed. */
export const refOptions = ({ of = [] }: Field, refs: Refs, chosen: readonly string[]) => {
  const existing = of.flatMap((page) => refs[page] ?? []);
  const offered = existing.map(({ key, name }) => ({ value: key, label: name !== '' && name !== key ? `${name} (${key})` : key }));
  const missing = chosen.filter((key) => !existing.some((row) => row.key === key));
  return [...offered, ...missing.map((key) => ({ value: key, label: t(fill(texts.missing, key)) }))];
};

/** Link to the page with the referenced rows. */
export const RefLink = ({ field }: { readonly field: Field }) => {
  const { hrefOf } = useDocumentContext();
  const href = field.of?.[0] && hrefOf?.(field.of[0]);
  if (href === undefined || href === '') return null;
  return (
    <Link className="icon-button" to={href} aria-label={`${t(texts.open)} ${t(field.label)}`} title={t(texts.open)}>
      <span aria-hidden>↗</span>
    </Link>
  );
};

interface RefControlProps {
  readonly id: string;
  readonly field: Field;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly isWrong: boolean;
  readonly describedBy: string | undefined;
  readonly label?: string | undefined;
}

/** A reference to one row of another page. */
export const RefControl = ({ id, field, value, onChange, isWrong, describedBy, label }: RefControlProps) => {
  const { refs, isReadOnly } = useDocumentContext();
  // The searchable select does not support a disabled fieldset.
  const isSearched = !isReadOnly && refOptions(field, refs, []).length > searchableAbove;
  const chosen = textOf(value);
  const options = refOptions(field, refs, chosen === '' ? [] : [chosen]);
  const put = (next: string | undefined) => onChange(next === '' ? undefined : next);
  const nativeSelect = (
    <NativeSelect
      id={id}
      value={chosen}
      options={options.length > searchableAbove ? options.filter((o) => o.value === chosen) : options}
      onChange={put}
      none={t(field.required ? texts.choose : texts.none)}
      isWrong={isWrong}
      required={field.required}
      describedBy={describedBy}
      label={label}
    />
  );
  return (
    <div className="ref-control">
      {isSearched ? (
        <Suspense fallback={nativeSelect}>
          <SearchSelect
            id={id}
            value={chosen === '' ? undefined : chosen}
            options={options}
            onChange={put}
            placeholder={t(texts.choose)}
            status={isWrong ? 'error' : undefined}
            required={field.required}
            searchable
          />
        </Suspense>
      ) : (
        nativeSelect
      )}
      <RefLink field={field} />
    </div>
  );
};
