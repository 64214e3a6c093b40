import type { Field } from '@farlink/contract/kit/field.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import type { GatewayField } from '@farlink/gateway/kit/field.ts';
import { canonical } from '@farlink/gateway/protocol/canonical.ts';
import type { ReactNode } from 'react';
import { errorId } from '../../ui/native/field-frame.tsx';
import { Refusal } from '../../ui/native/refusal.tsx';
import { t } from '../chrome/lang.ts';
import { controlId, useDocumentContext } from './document-context.ts';
import { fillShownDefaults } from './fill-shown-defaults.ts';
import './document.css';
import { FieldControl } from './field-control.tsx';
import { type GridProps, LinesControl } from './lines-control.tsx';
import { tipsOf } from './units.ts';
import { documentOf } from './validate-document.ts';
import { valueText } from './value-text.ts';

const texts = {
  was: ['原值：{0}', 'Was: {0}'],
  changed: ['已修改', 'Changed'],
  reported: ['由网关填写', 'Reported by the gateway'],
  inherit: ['恢复继承值：{0}', 'Restore inherited value: {0}'],
} as const satisfies Record<string, Text>;

/** A required confirmation is marked like a required value. */
export const isNeeded = (field: Field) => field.required || field.rules.some((rule) => rule.name === 'ticked');

interface FieldsGridProps extends GridProps {
  /** The document without the current changes. */
  readonly base?: Values | undefined;
  /** Next to the label: the origin of the value. */
  readonly mark?: ((name: string, field: GatewayField) => ReactNode) | undefined;
  /** The values from templates and factory; a value can be reset to them. */
  readonly inherited?: Values | undefined;
  /** Values reported by the gateway, by field name. */
  readonly reported?: Values | undefined;
  /** For a polygon: those of the other rows. */
  readonly others?: ((name: string) => readonly unknown[]) | undefined;
}

const plain = (value: unknown) => (typeof value === 'object' && value !== null ? canonical(documentOf({ value })) : String(value ?? ''));

/** Every visible field of a document: label, control and error. */
export const FieldsGrid = ({ fields, values, at, onPut, base, mark, inherited, reported, others }: FieldsGridProps) => {
  const context = useDocumentContext();
  const put = (patch: Values) => {
    const next = fillShownDefaults(fields, values, { ...values, ...patch });
    onPut(Object.fromEntries(Object.entries(next).filter(([name, value]) => value !== values[name] || name in patch)));
  };
  return (
    <div className="doc-grid">
      {Object.entries(fields)
        .filter(([, field]) => field.when?.(values) !== false)
        .map(([name, field]) => {
          const path = `${at}${name}`;
          const id = controlId(context, path);
          if (field.reported)
            return (
              <div key={name} className="doc-field" data-kind="reported">
                <div className="row muted doc-label">
                  <span>{t(field.label)}</span>
                  <small className="muted">{t(texts.reported)}</small>
                </div>
                <div className="doc-reported">{valueText(field, reported?.[name], context.refs)}</div>
              </div>
            );
          const tips = tipsOf(field);
          const isChanged = base !== undefined && plain(base[name]) !== plain(values[name]);
          // The inherited value of a secret is not available here, so it cannot be reset.
          const differs = inherited !== undefined && !field.secret && plain(inherited[name]) !== plain(values[name]);
          const inheritedText = differs ? valueText(field, inherited[name], context.refs) : '';
          const control = { path, field, value: values[name], onChange: (next: unknown) => put({ [name]: next }) };
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: handles blur of the control inside
            <div key={name} className="doc-field" data-kind={field.kind} onBlur={() => context.leave(path)}>
              <div className="row muted doc-label">
                <label htmlFor={id} className={isNeeded(field) ? 'needed' : undefined}>
                  {t(field.label)}
                </label>
                {tips && (
                  <span className="muted doc-help" role="img" aria-label={tips} data-tip={tips}>
                    ?
                  </span>
                )}
                {isChanged && (
                  <span
                    className="dot"
                    role="img"
                    aria-label={t(texts.changed)}
                    data-tip={t(texts.was, valueText(field, base[name], context.refs))}
                  />
                )}
                <span className="inline small doc-mark">
                  {mark?.(name, field)}
                  {differs && (
                    <button
                      type="button"
                      className="act doc-inherit"
                      aria-label={`${t(field.label)} ${t(texts.inherit, inheritedText)}`}
                      data-tip={t(texts.inherit, inheritedText)}
                      onClick={() => put({ [name]: inherited?.[name] })}
                    >
                      ↺
                    </button>
                  )}
                </span>
              </div>
              {field.kind === 'items' ? (
                <LinesControl {...control} Grid={FieldsGrid} />
              ) : (
                <FieldControl {...control} others={field.kind === 'polygon' ? others?.(name) : undefined} />
              )}
              <Refusal id={errorId(id)} text={context.errors[path]} />
            </div>
          );
        })}
    </div>
  );
};
