import type { Head } from '@farlink/contract/kit/page.ts';
import type { MouseEvent } from 'react';
import { t } from '../../kit/chrome/lang.ts';
import type { OpenGroup } from '../permitted.ts';

interface PageLinksProps {
  readonly group: OpenGroup;
  readonly page: Head | undefined;
  readonly onOpen: (page: Head) => void;
}

const isPlain = (e: MouseEvent) => e.button === 0 && !e.metaKey && !e.ctrlKey && !e.shiftKey && !e.altKey;

/** Real links, so that a middle click opens a new tab. */
export const PageLinks = ({ group, page, onOpen }: PageLinksProps) => (
  <ul className="side-pages" aria-label={t(group.title)}>
    {group.pages.map((p) => (
      <li key={p.key}>
        <a
          href={p.route}
          aria-current={p.key === page?.key ? 'page' : undefined}
          title={t(p.title)}
          onClick={(e) => {
            if (!isPlain(e)) return;
            e.preventDefault();
            onOpen(p);
          }}
        >
          {t(p.title)}
        </a>
      </li>
    ))}
  </ul>
);
