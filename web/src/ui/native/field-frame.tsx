import type { FocusEvent, ReactNode } from 'react';
import { HelpIcon } from '../theme/icons.ts';
import { Refusal } from './refusal.tsx';

interface FieldFrameProps {
  readonly id: string;
  /** The kind of field, by which the stylesheet gives it room. */
  readonly kind: string;
  readonly label: string;
  readonly tips: string | undefined;
  readonly needed: boolean;
  readonly error: string | undefined;
  readonly onLeave: () => void;
  readonly children: ReactNode;
}

/** The id under which a control finds the words of its refusal. */
export const errorId = (id: string) => `${id}-error`;

/** Whoever turns to the buttons of the form is not told yet: a line that appears would move the button from under the pointer. */
const isForButtons = (e: FocusEvent) => e.relatedTarget?.closest('.dialog-foot') != null;

/** Label, control, and below it what is wrong. */
export const FieldFrame = ({ id, kind, label, tips, needed, error, onLeave, children }: FieldFrameProps) => (
  // biome-ignore lint/a11y/noStaticElementInteractions: hears that its control has been left
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
