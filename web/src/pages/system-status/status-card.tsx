import type { StatusSection, StatusSectionName } from '@farlink/contract/advanced/system-status.ts';
import { headOf, type PageKey } from '@farlink/contract/menu.ts';
import { mayOpen } from '@farlink/contract/rights.ts';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { t } from '../../kit/chrome/lang.ts';
import { useMe } from '../../kit/net/session.ts';
import { Tag } from '../../ui/native/tag.tsx';
import { levelTexts, partTexts, texts } from './texts.ts';

const absent = { label: ['无', 'None'], color: 'default' } as const;

interface CardProps<F> {
  readonly name: StatusSectionName;
  readonly part: StatusSection<F>;
  /** Pages about this part. */
  readonly links?: readonly PageKey[];
  /** Nothing exists that could be in order. */
  readonly isAbsent?: (figures: F) => boolean;
  readonly children: (figures: F) => ReactNode;
}

/** One part of the status with its level. A part that could not be read shows a note instead of figures. */
export const StatusCard = <F,>({ name, part, links = [], isAbsent, children }: CardProps<F>) => {
  const id = useId();
  const me = useMe();
  const hasNothing = part.level === 'ok' && part.figures !== null && isAbsent?.(part.figures);
  const { label, color } = hasNothing ? absent : levelTexts[part.level];
  return (
    <section className={`card status-card status-${name}`} aria-labelledby={id} data-level={part.level}>
      <header className="row wrap status-card-head">
        <h2 id={id}>{t(partTexts[name])}</h2>
        <Tag color={color}>{t(label)}</Tag>
        <span className="spring" />
        {links
          .map((key) => headOf(key))
          .filter((head) => mayOpen(head, me))
          .map(({ key, title, route }) => (
            <Link key={key} className="act no-truncate" to={route}>
              {t(title)}
            </Link>
          ))}
      </header>
      {part.figures === null ? <p className="muted status-none">{t(texts.unreadable)}</p> : children(part.figures)}
    </section>
  );
};

interface FigureProps {
  readonly label: string;
  readonly more?: string | undefined;
  readonly children: ReactNode;
}

export const Figure = ({ label, more, children }: FigureProps) => (
  <div>
    <dt className="small">{label}</dt>
    <dd>{children}</dd>
    {more && <dd className="muted small">{more}</dd>}
  </div>
);
