import type { Field } from '@farlink/contract/kit/field.ts';
import type { Form } from '@farlink/contract/kit/page.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { type ReactNode, useId, useRef } from 'react';
import { tips } from '../../ui/browser/tip.ts';
import { Button } from '../../ui/native/button.tsx';
import '../../ui/styles/form.css';
import { t } from '../chrome/lang.ts';
import { confirm } from '../chrome/notify.tsx';
import { useBack } from '../chrome/route.ts';
import { FieldRow } from './field-row.tsx';
import { isShown } from './form-values.ts';
import { type SectionNames, sectionsOf } from './sections.ts';
import { type FormState, useForm } from './use-form.ts';
import { useLeaveGuard } from './use-leave-guard.ts';
import { type Submit, useSubmit } from './use-submit.ts';

const texts = {
  cancel: ['取消', 'Cancel'],
  submit: ['提交', 'Submit'],
} as const satisfies Record<string, Text>;

interface RecordPageProps {
  readonly form: Form;
  readonly start: Values;
  /** Field names under a heading; remaining fields are in a last section without one. */
  readonly sections?: readonly SectionNames[];
  /** Values that rules can compare with, outside the form. */
  readonly otherValues?: Values;
  /** Parameters that narrow the lookups of the form. */
  readonly scope?: Values;
  /** An edit without changes is refused (spec §5). */
  readonly isEdit?: boolean;
  readonly submitLabel?: Text;
  readonly onSubmit: Submit;
  /** Target of "cancel" if the operator did not come from within the console. */
  readonly back: string;
  /** Above the form, with access to its values: explanation, price, or a button that fills fields. */
  readonly head?: (form: FormState) => ReactNode;
  /** Below a field: an explanation of its value. */
  readonly note?: (name: string, form: FormState) => ReactNode;
  /** Below the form: the result. */
  readonly result?: ReactNode;
}

/** A form as a page. Leaving it with unsaved changes needs confirmation. */
export const RecordPage = (props: RecordPageProps) => {
  const { form, start, sections = [], otherValues = {}, scope = {}, isEdit, submitLabel = texts.submit, back, head, note, result } = props;
  const id = useId();
  const state = useForm(form.fields, start, otherValues);
  const sent = useRef<Values>(null);
  const onSubmit: Submit = async (values, key, isSaveOnly) => {
    const question = form.confirm?.(values);
    if (question && !(await confirm(question, { danger: true }))) return;
    // A form that is being sent can be left without a question.
    sent.current = state.values;
    try {
      await props.onSubmit(values, key, isSaveOnly);
    } catch (error) {
      sent.current = null;
      throw error;
    }
  };
  const { busy, submit } = useSubmit({ id, fields: form.fields, state, isEdit, onSubmit });
  const goBack = useBack(back);
  useLeaveGuard(() => !state.unchanged && sent.current !== state.values);
  const row = ([name, field]: readonly [string, Field]) => (
    <FieldRow
      key={name}
      id={`${id}-${name}`}
      name={name}
      field={field}
      form={state}
      scope={scope}
      self={otherValues.id}
      note={note?.(name, state)}
    />
  );
  return (
    <form
      className="record-page card"
      noValidate
      aria-label={t(form.title)}
      onSubmit={(e) => {
        e.preventDefault();
        void submit();
      }}
      {...tips}
    >
      {head?.(state)}
      {sectionsOf(form.fields, sections).map((section) => {
        const shown = section.fields.filter(([, field]) => isShown(field, state.values));
        return (
          shown.length > 0 && (
            <fieldset key={section.key}>
              {section.title && <legend>{t(section.title)}</legend>}
              <div className="field-columns">{shown.map(row)}</div>
            </fieldset>
          )
        );
      })}
      {result && <div className="page-result">{result}</div>}
      <div className="dialog-foot page-foot">
        <span className="spring" />
        <Button onClick={goBack}>{t(texts.cancel)}</Button>
        <Button kind="primary" type="submit" loading={busy}>
          {t(submitLabel)}
        </Button>
      </div>
    </form>
  );
};
