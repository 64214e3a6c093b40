import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { initialValues } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { canonical } from '@farlink/gateway/protocol/canonical.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react';
import { Button } from '../../ui/native/button.tsx';
import { Panel } from '../../ui/native/panel.tsx';
import { t } from '../chrome/lang.ts';
import { confirm } from '../chrome/notify.tsx';
import { discard } from '../form/use-leave-guard.ts';
import { focusControl } from '../form/use-submit.ts';
import { controlId, type DocumentControls } from './document-context.ts';
import { DocumentFields } from './document-fields.tsx';
import { useDocument } from './use-document.ts';
import type { PathErrors } from './validate-document.ts';
import type { Refs } from './value-text.ts';

const texts = {
  add: ['新增', 'Add'],
  edit: ['编辑', 'Edit'],
  view: ['查看', 'View'],
  cancel: ['取消', 'Cancel'],
  close: ['关闭', 'Close'],
  confirm: ['确定', 'Confirm'],
  next: ['确定并继续新增', 'Confirm and add another'],
  duplicate: ['“{0}”已存在', '"{0}" already exists'],
} as const satisfies Record<string, Text>;

export interface RowDrawerProps extends Pick<DocumentControls, 'hrefOf' | 'upload'> {
  readonly page: GatewayPage;
  /** Initial values of the form; undefined: the defaults of the page. */
  readonly start: Values | undefined;
  /** The edited row; undefined: a new one. */
  readonly row: JsonObject | undefined;
  readonly base: JsonObject | undefined;
  /** The inherited row with this key, without values of the device itself. */
  readonly inheritedOf: ((key: string) => Values | undefined) | undefined;
  readonly refs: Refs;
  readonly isReadOnly: boolean;
  /** Whether another row has this key. */
  readonly isTaken: (key: string) => boolean;
  /** Whether a stored secret of the row with this key can be kept, by its path in the row. */
  readonly isKept: (key: string, path: string) => boolean;
  /** The field to focus; default: the first one. */
  readonly focus: string | undefined;
  readonly served: PathErrors;
  readonly reported: Values | undefined;
  readonly others: (name: string) => readonly unknown[];
  readonly mark: ((name: string, row: Values) => ReactNode) | undefined;
  /** Set while the form has input that is not stored elsewhere. */
  readonly onUnstored: ((on: boolean) => void) | undefined;
  readonly onDone: (row: JsonObject, addsAnother: boolean) => void;
  readonly onClose: () => void;
}

/** The drawer takes the focus first, so the field is focused after its animation. */
const focusMs = 60;

/** Focuses a field, unless the operator has already focused another one. */
const useFirstFocus = (control: string, isReadOnly: boolean) => {
  useEffect(() => {
    const timer = setTimeout(() => !isReadOnly && !document.activeElement?.closest('.row-form') && focusControl(control), focusMs);
    return () => clearTimeout(timer);
  }, [control, isReadOnly]);
};

/** Values of the row, validated on input. */
const useRowValues = ({ page, start, row, served, isTaken, isKept }: RowDrawerProps) => {
  const [values, setValues] = useState<Values>(start ?? row ?? initialValues(page.fields));
  const [first] = useState(values);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const keyField = page.keyField ?? '';
  const key = String(values[keyField] ?? '');
  const kept = (path: string) => isKept(key, path);
  const taken: PathErrors = key !== '' && isTaken(key) ? { [keyField]: t(texts.duplicate, key) } : {};
  const stale = Object.fromEntries(Object.entries(served).filter(([path]) => !touched.has(path.split(/[[.]/)[0] ?? '')));
  const state = useDocument(page.fields, values, kept, { ...stale, ...taken });
  const put = (patch: Values) => {
    setValues((old) => ({ ...old, ...patch }));
    setTouched((old) => new Set([...old, ...Object.keys(patch)]));
  };
  return {
    values,
    key,
    kept,
    state,
    put,
    firstError: [...Object.keys(taken), ...Object.keys(state.errors)][0],
    isDirty: canonical({ ...state.doc }) !== canonical({ ...row }) && values !== first,
  };
};

/** A row of a list page as a form. */
const RowDrawer = (props: RowDrawerProps) => {
  const { page, row, inheritedOf, isReadOnly, focus, mark, onUnstored, onDone, onClose } = props;
  const id = useId();
  const { values, key, kept, state, put, firstError, isDirty } = useRowValues(props);
  const opening = focus ?? Object.entries(page.fields).find(([, field]) => !field.reported)?.[0] ?? '';
  useFirstFocus(controlId({ id }, opening), isReadOnly);

  const isUnsaved = isDirty && !isReadOnly;
  const reportUnstored = useEffectEvent((on: boolean) => onUnstored?.(on));
  useEffect(() => {
    reportUnstored(isUnsaved);
    return () => reportUnstored(false);
  }, [isUnsaved]);

  const close = async () => {
    if (!isUnsaved || (await confirm(discard))) onClose();
  };
  const done = (addsAnother: boolean) => {
    state.showAll();
    if (firstError !== undefined) return focusControl(controlId({ id }, firstError));
    onDone(state.doc, addsAnother);
  };
  const title = `${t(isReadOnly ? texts.view : row ? texts.edit : texts.add)} · ${t(page.title)}${row && key !== '' ? ` · ${key}` : ''}`;
  return (
    <Panel title={title} width={760} onClose={() => void close()}>
      <form
        className="row-form"
        noValidate
        aria-label={title}
        onSubmit={(e) => {
          e.preventDefault();
          if (!isReadOnly) done(false);
        }}
      >
        <DocumentFields
          id={id}
          fields={page.fields}
          values={values}
          onPut={put}
          state={state}
          refs={props.refs}
          isKept={kept}
          isReadOnly={isReadOnly}
          base={props.base}
          inherited={inheritedOf?.(key)}
          reported={props.reported}
          others={props.others}
          mark={mark && ((name) => mark(name, values))}
          hrefOf={props.hrefOf}
          upload={props.upload}
        />
        <div className="dialog-foot drawer-foot">
          <span className="spring" />
          <Button onClick={() => void close()}>{t(isReadOnly ? texts.close : texts.cancel)}</Button>
          {!isReadOnly && !row && <Button onClick={() => done(true)}>{t(texts.next)}</Button>}
          {!isReadOnly && (
            <Button kind="primary" type="submit">
              {t(texts.confirm)}
            </Button>
          )}
        </div>
      </form>
    </Panel>
  );
};
export default RowDrawer;
