import type { Text } from '@farlink/contract/kit/text.ts';
import { t } from '../../../kit/chrome/lang.ts';

const label: Text = ['快捷键', 'Special keys'];

const keys: readonly (readonly [name: string, sent: string, accessibleName?: Text])[] = [
  ['Esc', '\x1b'],
  ['Tab', '\t'],
  ['Ctrl+C', '\x03'],
  ['↑', '\x1b[A', ['上', 'Up']],
  ['↓', '\x1b[B', ['下', 'Down']],
  ['←', '\x1b[D', ['左', 'Left']],
  ['→', '\x1b[C', ['右', 'Right']],
];

/** Keys that a phone keyboard lacks; the stylesheet shows them only for touch. */
export const TerminalKeys = ({ send }: { readonly send: (text: string) => void }) => (
  <div className="terminal-keys" role="toolbar" aria-label={t(label)}>
    {keys.map(([name, sent, accessibleName]) => (
      // The terminal keeps the focus, so that the phone keyboard stays open.
      <button
        key={name}
        type="button"
        aria-label={accessibleName && t(accessibleName)}
        onPointerDown={(e) => e.preventDefault()}
        onClick={() => send(sent)}
      >
        {name}
      </button>
    ))}
  </div>
);
