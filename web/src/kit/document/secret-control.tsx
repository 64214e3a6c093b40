import { keptSecret } from '@farlink/contract/config/config.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { type ReactNode, useState } from 'react';
import { ActButton } from '../../ui/native/act-button.tsx';
import { IconButton } from '../../ui/native/icon-button.tsx';
import { LineInput } from '../../ui/native/line-input.tsx';
import { EyeIcon, EyeOffIcon } from '../../ui/theme/icons.ts';
import { t } from '../chrome/lang.ts';
import { focusControl } from '../form/use-submit.ts';

const texts = {
  set: ['已设置', 'Set'],
  replace: ['更换', 'Replace'],
  clear: ['清除', 'Clear'],
  keep: ['保留原值', 'Keep the old value'],
  show: ['显示', 'Show'],
  hide: ['隐藏', 'Hide'],
} as const satisfies Record<string, Text>;

interface SecretFrameProps {
  readonly id: string;
  readonly label: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly isKept: boolean;
  readonly required: boolean;
  readonly children: ReactNode;
}

/** A stored secret is not shown; it can be replaced or removed. */
export const SecretFrame = ({ id, label, value, onChange, isKept, required, children }: SecretFrameProps) => {
  if (value === keptSecret) {
    const replace = () => {
      onChange(undefined);
      requestAnimationFrame(() => focusControl(id));
    };
    return (
      <div className="row secret-set">
        <span className="tag hue-default">{t(texts.set)}</span>
        <span className="row-actions">
          <button id={id} type="button" className="act" aria-label={`${t(texts.replace)} ${label}`} onClick={replace}>
            {t(texts.replace)}
          </button>
          {!required && <ActButton label={t(texts.clear)} of={label} onClick={() => onChange(undefined)} />}
        </span>
      </div>
    );
  }
  return (
    <div className="row secret-new">
      {children}
      {isKept && <ActButton label={t(texts.keep)} of={label} onClick={() => onChange(keptSecret)} />}
    </div>
  );
};

interface SecretInputProps {
  readonly id: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly max: number | undefined;
  readonly isWrong: boolean;
  readonly required: boolean;
  readonly describedBy: string | undefined;
}

export const SecretInput = ({ value, ...rest }: SecretInputProps) => {
  const [isShown, setShown] = useState(false);
  return (
    <LineInput
      {...rest}
      value={value}
      type={isShown ? 'text' : 'password'}
      isMono
      suffix={
        value !== '' && (
          <IconButton label={t(isShown ? texts.hide : texts.show)} onClick={() => setShown(!isShown)}>
            {isShown ? <EyeOffIcon aria-hidden /> : <EyeIcon aria-hidden />}
          </IconButton>
        )
      }
    />
  );
};
