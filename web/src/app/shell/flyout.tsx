import type { Head } from '@farlink/contract/kit/page.ts';
import { useState } from 'react';
import { t } from '../../kit/chrome/lang.ts';
import type { OpenGroup } from '../permitted.ts';
import { GroupIcon } from './group-label.tsx';
import { PageLinks } from './page-links.tsx';

interface FlyoutProps {
  readonly group: OpenGroup;
  readonly page: Head | undefined;
  readonly current: boolean;
  readonly onOpen: (page: Head) => void;
}

const rowHeight = 36;
const margin = 16;

/** The pages of a group beside the collapsed menu; opens by hover, click and keyboard. */
export const Flyout = ({ group, page, current, onOpen }: FlyoutProps) => {
  const [top, setTop] = useState<number>();
  const show = (at: HTMLElement) =>
    setTop(Math.max(margin, Math.min(at.getBoundingClientRect().top, innerHeight - (group.pages.length + 1) * rowHeight - margin)));
  const hide = () => setTop(undefined);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside is the control; this keeps the panel open while the mouse moves to it
    <div
      onMouseEnter={(e) => show(e.currentTarget)}
      onMouseLeave={hide}
      onKeyDown={(e) => e.key === 'Escape' && hide()}
      onBlur={(e) => !e.currentTarget.contains(e.relatedTarget) && hide()}
    >
      <button
        type="button"
        className="row side-group"
        data-current={current || undefined}
        aria-expanded={top !== undefined}
        aria-label={t(group.title)}
        onClick={(e) => show(e.currentTarget)}
      >
        <GroupIcon group={group} />
      </button>
      {top !== undefined && (
        <div className="flyout" style={{ top }}>
          <p className="muted small" aria-hidden="true">
            {t(group.title)}
          </p>
          <PageLinks
            group={group}
            page={page}
            onOpen={(p) => {
              hide();
              onOpen(p);
            }}
          />
        </div>
      )}
    </div>
  );
};
