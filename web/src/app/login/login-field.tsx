import { maxOf } from '@farlink/contract/kit/check.ts';
import type { Field } from '@farlink/contract/kit/field.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { type HTMLAttributes, type ReactNode, type Ref, useId, useState } from 'react';
import { t } from '../../kit/chrome/lang.ts';

interface LoginFieldProps {
  readonly field: Field;
  readonly name: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
  readonly onLeave: () => void;
  readonly autoComplete: string;
  readonly inputMode?: HTMLAttributes<HTMLInputElement>['inputMode'];
  readonly placeholder?: string;
  readonly hint?: string;
  /** Shows a mask in place of a remembered password, which only the server has. */
  readonly masked?: boolean;
  readonly after?: ReactNode;
  readonly ref?: Ref<HTMLInputElement>;
}

const showPassword: Text = ['显示密码', 'Show password'];
const hidePassword: Text = ['隐藏密码', 'Hide password'];

/** Focus on the submit button: an error line that appears now would move the button away from the pointer. */
const isSubmit = (target: EventTarget | null) => target instanceof HTMLButtonElement && target.type === 'submit';

const Eye = ({ open }: { open: boolean }) => (
  <svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="1.3" aria-hidden="true">
    <path d="M1.3 8S3.8 3.5 8 3.5 14.7 8 14.7 8 12.2 12.5 8 12.5 1.3 8 1.3 8Z" />
    <circle cx="8" cy="8" r="2" />
    {!open && <path d="m2.5 13.5 11-11" strokeLinecap="round" />}
  </svg>
);

export const LoginField = ({
  field,
  name,
  value,
  error,
  onChange,
  onLeave,
  autoComplete,
  inputMode,
  placeholder,
  hint,
  masked,
  after,
  ref,
}: LoginFieldProps) => {
  const id = useId();
  const [shown, setShown] = useState(false);
  const secret = field.kind === 'password';
  const max = secret ? undefined : maxOf(field);
  return (
    <div className="login-field" data-invalid={error !== undefined || undefined}>
      <label htmlFor={id}>{t(field.label)}</label>
      <div className="row">
        <div className="grow login-input">
          <input
            id={id}
            ref={ref}
            name={name}
            type={secret && !shown ? 'password' : 'text'}
            value={value}
            maxLength={max}
            placeholder={masked ? '••••••••' : placeholder}
            data-masked={masked || undefined}
            autoComplete={autoComplete}
            inputMode={inputMode}
            spellCheck={false}
            autoCapitalize="none"
            required={field.required}
            aria-invalid={error !== undefined}
            aria-describedby={`${id}-note`}
            onChange={(e) => onChange(e.target.value)}
            onBlur={(e) => !isSubmit(e.relatedTarget) && onLeave()}
          />
          {secret && !masked && (
            <button
              type="button"
              className="muted login-eye"
              aria-label={t(shown ? hidePassword : showPassword)}
              aria-pressed={shown}
              onClick={() => setShown(!shown)}
            >
              <Eye open={shown} />
            </button>
          )}
        </div>
        {after}
      </div>
      <p id={`${id}-note`} className={error === undefined ? 'login-note' : 'login-note login-error'}>
        {error ?? hint}
      </p>
    </div>
  );
};
