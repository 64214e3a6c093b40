import type { Text } from '@farlink/contract/kit/text.ts';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { t } from '../../kit/chrome/lang.ts';

const texts = {
  failed: ['暂时无法读取', 'Not available right now'],
  all: ['查看全部', 'View all'],
} as const satisfies Record<string, Text>;

interface HomeCardProps<T> {
  readonly title: Text;
  /** Name of the area in the grid. */
  readonly area: string;
  /** Missing without permission, null if it could not be read. */
  readonly data: T | null | undefined;
  readonly link?: string | undefined;
  readonly head?: ReactNode;
  readonly children: (data: T) => ReactNode;
}

export const Unavailable = () => <p className="muted home-none">{t(texts.failed)}</p>;

/** One widget. It is absent without permission, and fails alone. */
export const HomeCard = <T,>({ title, area, data, link, head, children }: HomeCardProps<T>) => {
  const id = useId();
  if (data === undefined) return null;
  return (
    <section className={`card home-card home-${area}`} aria-labelledby={id}>
      <header className="row wrap small">
        <h2 id={id}>{t(title)}</h2>
        <span className="spring" />
        {head}
        {link && (
          <Link className="act" to={link} aria-label={`${t(title)} ${t(texts.all)}`}>
            {t(texts.all)}
          </Link>
        )}
      </header>
      {data === null ? <Unavailable /> : children(data)}
    </section>
  );
};
