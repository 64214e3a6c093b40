import type { Field } from '@farlink/contract/kit/field.ts';
import { bytesText, durationText, measuredText, speedText } from '@farlink/contract/kit/units.ts';
import { zoneName } from '@farlink/contract/kit/zone.ts';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import { ProgressBar } from '../../ui/charts/progress-bar.tsx';
import { Swatch } from '../../ui/charts/swatch.tsx';
import { dateText, moneyText, nothing, numberText, relativeText, timeText, yesNo } from '../../ui/format.ts';
import { StateTags } from '../../ui/native/state-tags.tsx';
import { Point, Tag } from '../../ui/native/tag.tsx';
import { TagList } from '../../ui/native/tag-list.tsx';
import { lang, t } from '../chrome/lang.ts';
import { PictureButton } from '../form/picture-button.tsx';
import { LinkedText } from './linked-text.tsx';
import { MaskedText } from './masked-text.tsx';
import { stateTagsOf, tagsOf } from './state-tags.ts';

const ProtocolTags = lazy(() => import('./protocol-tags.tsx'));

interface CellProps {
  readonly field: Field;
  readonly value: unknown;
  /** URL of the referenced object; a link without one opens the detail of its row in place. */
  readonly href?: string | undefined;
  /** For tags, one URL each. */
  readonly hrefs?: readonly (string | undefined)[];
  readonly onOpen?: (() => void) | undefined;
  /** Requests the unmasked value; without it, the value stays masked. */
  readonly reveal?: (() => Promise<string>) | undefined;
}

/** One value, formatted by its field. An empty value is shown as a dash. */
export const Cell = (props: CellProps) => {
  const { field, href, value } = props;
  if (href === undefined || field.kind === 'link' || isNothing(value)) return <Plain {...props} />;
  return (
    <Link className={linkClass(field)} data-tip="" to={href}>
      <Plain {...props} />
    </Link>
  );
};

/** A link is cut to one line, unless its value must be read in full. */
const linkClass = ({ noTruncate, mono }: Field) => `act ${noTruncate ? 'no-truncate' : 'clip'}${mono ? ' mono' : ''}`;

/** Wraps a text in a link, if it has a URL. */
const linkTo = (href: string | undefined) => (href === undefined ? undefined : (label: string) => <LinkedText text={label} href={href} />);

const isNothing = (value: unknown) => value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** A known code is shown by its label. */
const textOf = ({ codes = [] }: Field, value: unknown) => {
  const known = codes.find(({ id }) => id === value);
  return known ? t(known.label) : String(value);
};

const Plain = ({ field, value, href, hrefs = [], onOpen, reveal }: CellProps) => {
  if (isNothing(value)) return nothing;
  if (field.mask) return <MaskedText text={String(value)} label={t(field.label)} isMono={field.mono === true} reveal={reveal} />;
  switch (field.kind) {
    case 'int':
      return numberText(value);
    case 'money':
      return moneyText(value);
    case 'bytes':
      return bytesText(Number(value));
    case 'speed':
      return t(speedText(Number(value)));
    case 'rate':
      return measuredText(Number(value));
    case 'duration':
      return t(durationText(Number(value)));
    case 'date':
      return <span data-tip={zoneName}>{dateText(value)}</span>;
    case 'time':
      return <span data-tip={`${relativeText(value, lang)} · ${zoneName}`}>{timeText(value)}</span>;
    case 'bool':
      return <Tag color={value === true || value === 1 ? 'green' : undefined}>{t(yesNo(value))}</Tag>;
    case 'choice': {
      const found = field.options?.find((o) => String(o.id) === String(value));
      if (!found) return String(value);
      if (found.point) return <Point color={found.color}>{t(found.label)}</Point>;
      return found.color ? <Tag color={found.color}>{t(found.label)}</Tag> : t(found.label);
    }
    case 'progress':
      return <ProgressBar percent={Number(value)} label={t(field.label)} />;
    case 'tags':
      return (
        <TagList tags={tagsOf(field, value).map((tag, i) => ({ ...tag, link: linkTo(hrefs[i]) }))} isExpanded={field.noTruncate === true} />
      );
    case 'protocols':
      return (
        <Suspense fallback={nothing}>
          <ProtocolTags pairs={[value].flat().map(String)} />
        </Suspense>
      );
    case 'states':
      return <StateTags tags={stateTagsOf(field, value)} />;
    case 'color':
      return <Swatch color={String(value)} />;
    case 'image':
      return <PictureButton paths={[value].flat().map(String)} label={t(field.label)} />;
    case 'link':
      if (href !== undefined) {
        return (
          <Link className={linkClass(field)} data-tip="" to={href}>
            {field.linkText ? t(field.linkText) : String(value)}
          </Link>
        );
      }
      if (onOpen) {
        return (
          <button type="button" className={linkClass(field)} data-tip="" onClick={onOpen}>
            {field.linkText ? t(field.linkText) : String(value)}
          </button>
        );
      }
  }
  const text = textOf(field, value);
  // A link cuts its value and shows it in full as a tooltip; a field with `noTruncate` is not cut.
  if (href !== undefined || field.noTruncate) return field.mono ? <span className="mono">{text}</span> : text;
  return (
    <span className={field.mono ? 'clip mono' : 'clip'} data-tip="">
      {text}
    </span>
  );
};
