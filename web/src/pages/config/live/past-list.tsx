import type { ComponentProps } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { EmbeddedList } from '../../../kit/list/embedded-list.tsx';

/** Earlier runs or sessions of a page. */
export const PastList = (props: ComponentProps<typeof EmbeddedList>) => {
  const title = t(props.page.title);
  return (
    <section className="run-past" aria-label={title}>
      <h3>{title}</h3>
      <EmbeddedList {...props} />
    </section>
  );
};
