import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import type { GatewayFields } from '@farlink/gateway/kit/field.ts';
import { useId } from 'react';
import { t } from '../../kit/chrome/lang.ts';
import { controlId, DocumentContext, type DocumentControls } from '../../kit/document/document-context.ts';
import { FieldControl } from '../../kit/document/field-control.tsx';
import { FieldsGrid } from '../../kit/document/fields-grid.tsx';
import { LinesControl } from '../../kit/document/lines-control.tsx';
import { tipsOf } from '../../kit/document/units.ts';
import { useDocument } from '../../kit/document/use-document.ts';
import type { PathErrors } from '../../kit/document/validate-document.ts';
import { tips } from '../../ui/browser/tip.ts';
import { errorId } from '../../ui/native/field-frame.tsx';
import { Refusal } from '../../ui/native/refusal.tsx';
import '../../kit/document/document.css';
import { asTyped, hasVariable, isHidden, startValue, without, withoutConditions } from './template-values.ts';

const texts = {
  set: ['由本模板设置：{0}', 'Set by this template: {0}'],
  inherited: ['沿用', 'Inherited'],
  emptied: ['将清空此项', 'Will be cleared'],
} as const satisfies Record<string, Text>;

interface TemplateFieldsProps {
  readonly fields: GatewayFields;
  readonly set: Values;
  readonly onSet: (set: Values) => void;
  readonly served: PathErrors;
  readonly isKept: (path: string) => boolean;
  readonly isReadOnly: boolean;
}

/** Fields of a template: each has a checkbox, and a control while it is checked. */
export const TemplateFields = ({ fields, set, onSet, served, isKept, isReadOnly }: TemplateFieldsProps) => {
  const id = useId();
  const checkedFields = Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => (name in set && !hasVariable(set[name]) ? [[name, withoutConditions(field)]] : [])),
  );
  const state = useDocument(checkedFields, set, isKept, served);
  const context: DocumentControls = { id, refs: {}, errors: state.shown, leave: state.leave, isKept };
  const shown = Object.entries(fields).filter(([name, field]) => !field.reported && (name in set || !isHidden(fields, name, set)));
  return (
    <DocumentContext value={context}>
      <fieldset className="doc-fields" disabled={isReadOnly} {...tips}>
        <div className="doc-grid">
          {shown.map(([name, field]) => {
            const isSet = name in set;
            const control = {
              path: name,
              field: asTyped(field),
              value: set[name],
              onChange: (next: unknown) => onSet({ ...set, [name]: next }),
            };
            const help = tipsOf(field);
            const isEmptied = isSet && (set[name] === undefined || set[name] === null || set[name] === '');
            return (
              // biome-ignore lint/a11y/noStaticElementInteractions: handles blur of the control inside
              <div
                key={name}
                className="doc-field template-field"
                data-kind={isSet ? field.kind : 'unset'}
                onBlur={() => state.leave(name)}
              >
                <div className="row muted doc-label">
                  <input
                    type="checkbox"
                    checked={isSet}
                    aria-label={t(texts.set, t(field.label))}
                    onChange={(e) => onSet(e.target.checked ? { ...set, [name]: startValue(field) } : without(set, name))}
                  />
                  <label htmlFor={isSet ? controlId(context, name) : undefined}>{t(field.label)}</label>
                  {help && (
                    <span className="muted doc-help" role="img" aria-label={help} data-tip={help}>
                      ?
                    </span>
                  )}
                  {isEmptied && <small className="inline muted small doc-mark">{t(texts.emptied)}</small>}
                </div>
                {!isSet && <div className="muted small template-unset">{t(texts.inherited)}</div>}
                {isSet && (field.kind === 'items' ? <LinesControl {...control} Grid={FieldsGrid} /> : <FieldControl {...control} />)}
                {isSet && <Refusal id={errorId(controlId(context, name))} text={state.shown[name]} />}
              </div>
            );
          })}
        </div>
      </fieldset>
    </DocumentContext>
  );
};
