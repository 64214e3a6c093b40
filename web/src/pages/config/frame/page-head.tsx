import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import type { ReactNode } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { tips } from '../../../ui/browser/tip.ts';

interface PageHeadProps {
  readonly page: GatewayPage;
  /** State and buttons beside the title. */
  readonly bar?: ReactNode;
  /** Warnings below the summary. */
  readonly children?: ReactNode;
}

/** Header of a gateway page of each kind. */
export const PageHead = ({ page, bar, children }: PageHeadProps) => (
  <header className="config-page-head" {...tips}>
    <div className="row wrap">
      <h2>{t(page.title)}</h2>
      {bar}
    </div>
    <p className="muted">{t(page.summary)}</p>
    {children}
  </header>
);
