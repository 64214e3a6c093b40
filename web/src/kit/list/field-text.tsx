import type { Field } from '@farlink/contract/kit/field.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { Fragment, lazy } from 'react';
import { nothing } from '../../ui/format.ts';
import { StateTags } from '../../ui/native/state-tags.tsx';
import { t } from '../chrome/lang.ts';
import { narrowing, useSearch } from '../form/options.ts';
import { Picture } from '../form/picture.tsx';
import { grantsOf } from '../grants/grant-state.ts';
import { Cell } from './cell.tsx';
import { LinkedText } from './linked-text.tsx';
import { stateTagsOf, tagsOf } from './state-tags.ts';

const ProtocolNames = lazy(() => import('./protocol-names.tsx'));

interface FieldTextProps {
  readonly field: Field;
  readonly value: unknown;
  readonly scope: Values;
  readonly href?: string | undefined;
  /** For several values, one URL each. */
  readonly hrefs?: readonly (string | undefined)[];
  readonly reveal?: (() => Promise<string>) | undefined;
}

/** The label of an id. */
const OptionText = ({ field, value, scope }: FieldTextProps) => {
  const ids = value === undefined || value === null ? [] : [Number(value)];
  const { items } = useSearch(field.lookup, narrowing(field, scope), ids);
  return value === undefined || value === null ? nothing : (items.find((item) => item.value === Number(value))?.label ?? `#${value}`);
};

/** A read-only value in full length. */
export const FieldText = (props: FieldTextProps) => {
  const { field, value, href, hrefs = [], reveal } = props;
  if (field.kind === 'option') return <OptionText {...props} />;
  if (field.kind === 'grants') {
    const all = Object.values(grantsOf(value));
    return t(
      ['可操作 {0} 项，仅查看 {1} 项', '{0} operable, {1} show only'],
      all.filter((g) => g === '11').length,
      all.filter((g) => g === '10').length,
    );
  }
  if (field.kind === 'image' && typeof value === 'string' && value !== '') return <Picture path={value} label={t(field.label)} />;
  if (field.kind === 'image' && Array.isArray(value) && value.length > 0)
    return value.map((path, i) => <Picture key={String(path)} path={String(path)} label={`${t(field.label)} ${i + 1}`} />);
  if (field.kind === 'protocols' && Array.isArray(value)) return <ProtocolNames pairs={value.map(String)} />;
  if (field.kind === 'states')
    return Array.isArray(value) && value.length > 0 ? <StateTags tags={stateTagsOf(field, value)} all /> : nothing;
  if (Array.isArray(value) && value.length > 0)
    return tagsOf(field, value).map(({ label }, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: names can repeat and never move
      <Fragment key={i}>
        {i > 0 && t(['、', ', '])}
        <LinkedText text={label} href={hrefs[i]} />
      </Fragment>
    ));
  return <Cell field={field} value={value} href={href} reveal={reveal} />;
};
