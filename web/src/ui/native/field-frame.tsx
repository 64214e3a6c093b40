import type { FocusEvent, ReactNode } from 'react';
import { HelpIcon } from '../theme/icons.ts';
import { Refusal } from './refusal.tsx';

interface FieldFrameProps {
  readonly id: string;
  /** Kind of field, for the stylesheet. */
  readonly kind: string;
  readonly label: string;
  readonly tips: string | undefined;
  readonly needed: boolean;
  readonly error: string | undefined;
  readonly onLeave: () => void;
  readonly children: ReactNode;
}

/** Id of the error text of a control. */
export const errorId = (id: string) => `${id}-error`;

/** On focus of a form button the field is not checked: an error line would move the button. */
const isForButtons = (e: FocusEvent) => e.relatedTarget?.closest('.dialog-foot') != null;

/** Label, control and error. */
export const FieldFrame = ({ id, kind, label, tips, needed, error, onLeave, children }: FieldFrameProps) => (
  // biome-ignore lint/a11y/noStaticElementInteractions: handles blur of the control inside
  <div className="field" data-kind={kind} onBlur={(e) => !isForButtons(e) && onLeave()}>
    <label htmlFor={id} className={needed ? 'needed' : undefined}>
      {label}
      {tips && (
        <span className="help" role="img" aria-label={tips} data-tip={tips}>
          <HelpIcon aria-hidden />
        </span>
      )}
    </label>
    <div>
      {children}
      <Refusal id={errorId(id)} text={error} />
    </div>
  </div>
);
