import type { Text } from '@farlink/contract/kit/text.ts';
import { useEffect, useState } from 'react';
import { EyeIcon, EyeOffIcon } from '../../ui/theme/icons.ts';
import { t } from '../chrome/lang.ts';
import { CallError } from '../net/call.ts';

const show: Text = ['显示{0}', 'Show {0}'];
const hide: Text = ['隐藏{0}', 'Hide {0}'];
const shownForMs = 30_000;

interface MaskedTextProps {
  readonly text: string;
  readonly label: string;
  readonly isMono: boolean;
  readonly reveal?: (() => Promise<string>) | undefined;
}

/** A masked value. Each reveal is a separate request and lasts half a minute. */
export const MaskedText = ({ text, label, isMono, reveal }: MaskedTextProps) => {
  const [revealed, setRevealed] = useState<string>();
  useEffect(() => {
    if (revealed === undefined) return;
    const timer = setTimeout(() => setRevealed(undefined), shownForMs);
    return () => {
      clearTimeout(timer);
      // A hidden page must not keep the revealed value.
      setRevealed(undefined);
    };
  }, [revealed]);
  const toggle = async () => {
    if (revealed !== undefined || !reveal) return setRevealed(undefined);
    try {
      setRevealed(await reveal());
    } catch (error) {
      // The error is already shown by `call`.
      if (!(error instanceof CallError)) throw error;
    }
  };
  const name = t(revealed === undefined ? show : hide, label);
  return (
    <span className="masked">
      <span className={isMono ? 'clip mono' : 'clip'} data-tip="">
        {revealed ?? text}
      </span>
      {reveal && (
        <button
          type="button"
          className="muted eye"
          aria-label={name}
          aria-pressed={revealed !== undefined}
          title={name}
          onClick={() => void toggle()}
        >
          {revealed === undefined ? <EyeIcon aria-hidden /> : <EyeOffIcon aria-hidden />}
        </button>
      )}
    </span>
  );
};
