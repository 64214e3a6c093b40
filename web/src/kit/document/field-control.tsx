import { maxOf } from '@farlink/contract/kit/check.ts';
import type { Field } from '@farlink/contract/kit/field.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { lengthOf } from '@farlink/contract/kit/text.ts';
import type { GatewayField } from '@farlink/gateway/kit/field.ts';
import { lazy, Suspense } from 'react';
import { textWidth } from '../../ui/format.ts';
import { AreaInput } from '../../ui/native/area-input.tsx';
import { ClockInput } from '../../ui/native/clock-input.tsx';
import { errorId } from '../../ui/native/field-frame.tsx';
import { LineInput } from '../../ui/native/line-input.tsx';
import { RadioRow } from '../../ui/native/radio-row.tsx';
import { NativeSelect } from '../../ui/native/select.tsx';
import { SwitchBox } from '../../ui/native/switch-box.tsx';
import { t } from '../chrome/lang.ts';
import { TimeControl } from '../form/time-control.tsx';
import { textOf, trimOnBlur } from '../form/typed-text.ts';
import { controlId, useDocumentContext } from './document-context.ts';
import { FileControl } from './file-control.tsx';
import { RefControl } from './ref-control.tsx';
import { SecretFrame, SecretInput } from './secret-control.tsx';
import { boundsText, unitText } from './units.ts';
import { switchText } from './value-text.ts';
import { WeekdayRow } from './weekday-row.tsx';

const PolygonControl = lazy(() => import('./polygon-control.tsx'));

const texts = {
  none: ['（未选择）', '(none)'],
  choose: ['请选择', 'Please select'],
  confirmed: ['已确认', 'Confirmed'],
  notConfirmed: ['未确认', 'Not confirmed'],
} as const satisfies Record<string, Text>;

interface FieldControlProps {
  readonly path: string;
  readonly field: GatewayField;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** Accessible label if there is no visible one. */
  readonly label?: string | undefined;
  /** For a polygon: those of the other rows. */
  readonly others?: readonly unknown[] | undefined;
}

/** Options that are few and short enough for one line. */
const fitsInRow = ({ options = [], required, default: start }: Field) =>
  options.length <= 3 && (required || start !== undefined) && options.reduce((sum, o) => sum + textWidth(t(o.label)) + 40, 0) < 290;

/** Shown in a monospace font, so that digits align. */
const monoRules = [
  'ipv4',
  'cidr',
  'mac',
  'ports',
  'domain',
  'url',
  'host_name',
  'address_entry',
  'sha256',
  'wireguard_key',
  'longitude',
  'latitude',
];

interface SharedProps {
  readonly id: string;
  readonly isWrong: boolean;
  readonly describedBy: string | undefined;
  readonly required: boolean;
  readonly field: GatewayField;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** A stored secret is never shown; it is kept or replaced. */
const SecretField = (props: SharedProps & { readonly path: string; readonly label: string }) => {
  const { isKept } = useDocumentContext();
  const { path, field, label, value, onChange, ...shared } = props;
  return (
    <SecretFrame {...shared} label={label} value={value} onChange={onChange} isKept={isKept(path)}>
      {field.kind === 'file' ? (
        <FileControl {...shared} path={path} field={field} value={value} onChange={onChange} />
      ) : field.kind === 'long' ? (
        <AreaInput {...shared} value={textOf(value)} onChange={onChange} isMono rows={6} />
      ) : (
        <SecretInput {...shared} value={textOf(value)} onChange={onChange} max={maxOf(field)} />
      )}
    </SecretFrame>
  );
};

/** Radio buttons if the options fit in one line, else a select. */
const ChoiceField = ({ field, value, onChange, label, ...shared }: SharedProps & { readonly label: string | undefined }) => {
  const options = (field.options ?? []).map((o) => ({ value: String(o.id), label: t(o.label) }));
  const select = (next: string) => onChange(field.options?.find((o) => String(o.id) === next)?.id);
  if (fitsInRow(field) && label === undefined) {
    const { id, describedBy } = shared;
    return <RadioRow id={id} label={t(field.label)} value={textOf(value)} options={options} onChange={select} describedBy={describedBy} />;
  }
  const hasValue = (field.required || field.default !== undefined) && textOf(value) !== '';
  const none = hasValue ? undefined : t(field.required ? texts.choose : texts.none);
  return <NativeSelect {...shared} value={textOf(value)} options={options} onChange={select} none={none} label={label} />;
};

/** The control of one value of a document. Nested lists are rendered by the layout component. */
export const FieldControl = ({ path, field, value, onChange, label, others }: FieldControlProps) => {
  const context = useDocumentContext();
  const id = controlId(context, path);
  const isWrong = context.errors[path] !== undefined;
  const describedBy = isWrong ? errorId(id) : undefined;
  const named = label ?? t(field.label);
  const shared = { id, isWrong, describedBy, required: field.required };
  if (field.secret) return <SecretField {...shared} path={path} field={field} label={named} value={value} onChange={onChange} />;
  switch (field.kind) {
    case 'bool': {
      const on = value === true;
      const isPromise = field.rules.some((rule) => rule.name === 'ticked');
      return (
        <SwitchBox
          {...shared}
          on={on}
          label={isPromise ? t(on ? texts.confirmed : texts.notConfirmed) : switchText(on)}
          onChange={onChange}
        />
      );
    }
    case 'choice':
      return <ChoiceField {...shared} field={field} value={value} onChange={onChange} label={label} />;
    case 'ref':
      return <RefControl {...shared} field={field} value={value} onChange={onChange} label={label} />;
    case 'clock':
      return <ClockInput {...shared} value={textOf(value)} onChange={onChange} />;
    case 'weekdays':
      return <WeekdayRow id={id} label={named} value={value} onChange={onChange} describedBy={describedBy} />;
    case 'time':
    case 'date':
      return <TimeControl id={id} field={field} value={value} onChange={onChange} isWrong={isWrong} />;
    case 'polygon':
      return (
        <Suspense>
          <PolygonControl id={id} label={named} value={value} onChange={onChange} others={others} />
        </Suspense>
      );
    case 'file':
      return <FileControl {...shared} path={path} field={field} value={value} onChange={onChange} />;
    case 'long':
      return <AreaInput {...shared} value={textOf(value)} onChange={onChange} label={label} rows={3} />;
    default: {
      const bounds = boundsText(field);
      const tail = (bounds !== undefined || field.unit !== undefined) && (
        <>
          {bounds && <span className="bounds">{bounds}</span>}
          {field.unit && unitText(field.unit)}
        </>
      );
      return (
        <LineInput
          {...shared}
          value={textOf(value)}
          onChange={onChange}
          onLeave={trimOnBlur(value, onChange)}
          max={maxOf(field)}
          length={lengthOf(textOf(value))}
          inputMode={field.kind === 'int' ? 'numeric' : undefined}
          isMono={field.rules.some((rule) => monoRules.includes(rule.name))}
          suffix={tail}
          label={label}
        />
      );
    }
  }
};
