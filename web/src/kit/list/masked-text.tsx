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
  const [whole, setWhole] = useState<string>();
  useEffect(() => {
    if (whole === undefined) return;
    const timer = setTimeout(() => setWhole(undefined), shownForMs);
    return () => {
      clearTimeout(timer);
      // A hidden page must not keep the revealed value.
      setWhole(undefined);
    };
  }, [whole]);
  const toggle = async () => {
    if (whole !== undefined || !reveal) return setWhole(undefined);
    try {
      setWhole(await reveal());
    } catch (error) {
      // The error is already shown by `call`.
      if (!(error instanceof CallError)) throw error;
    }
  };
  const name = t(whole === undefined ? show : hide, label);
  return (
    <span className="masked">
      <span className={isMono ? 'clip mono' : 'clip'} data-tip="">
        {whole ?? text}
      </span>
      {reveal && (
        <button
          type="button"
          className="eye"
          aria-label={name}
          aria-pressed={whole !== undefined}
          title={name}
          onClick={() => void toggle()}
        >
          {whole === undefined ? <EyeIcon aria-hidden /> : <EyeOffIcon aria-hidden />}
        </button>
      )}
    </span>
  );
};
