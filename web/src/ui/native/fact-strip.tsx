import type { ReactNode } from 'react';
import './fact-strip.css';
import { tips } from '../browser/tip.ts';

interface FactProps {
  readonly label: string;
  /** Small text below the fact. */
  readonly more?: string | undefined;
  readonly tip?: string | undefined;
  readonly children: ReactNode;
}

export const Fact = ({ label, more, tip, children }: FactProps) => (
  <div data-tip={tip}>
    <dt className="small">{label}</dt>
    <dd>{children}</dd>
    {more && <dd className="muted small clip">{more}</dd>}
  </div>
);

/** A row of key facts at the top of a record; two rows on a narrow page. */
export const FactStrip = ({ count, children }: { readonly count: number; readonly children: ReactNode }) => (
  <dl className="card fact-strip" style={{ ['--facts' as string]: count, ['--half' as string]: Math.ceil(count / 2) }} {...tips}>
    {children}
  </dl>
);
