import { fileType } from '@farlink/contract/file/choices.ts';
import { fileCalls, fileList } from '@farlink/contract/file/file.ts';
import { fileKinds } from '@farlink/contract/file/file-kinds.ts';
import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { limits } from '@farlink/contract/limits.ts';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { t } from '../../kit/chrome/lang.ts';
import { confirm, notify } from '../../kit/chrome/notify.tsx';
import { useCloseGuard } from '../../kit/form/dialog.tsx';
import { FieldRow } from '../../kit/form/field-row.tsx';
import { startValues } from '../../kit/form/form-values.ts';
import { UploadNote, type UploadProgress } from '../../kit/form/upload-note.tsx';
import { type FormState, useForm } from '../../kit/form/use-form.ts';
import { mayDiscard, useLeaveGuard } from '../../kit/form/use-leave-guard.ts';
import { focusControl, useSubmit } from '../../kit/form/use-submit.ts';
import { CallError, call } from '../../kit/net/call.ts';
import { Button } from '../../ui/native/button.tsx';
import '../../ui/styles/form.css';
import { sendChunks } from './send-chunks.ts';

const texts = {
  cancel: ['取消', 'Cancel'],
  submit: ['上传', 'Upload'],
  resume: ['继续上传', 'Resume'],
  leave: [
    '上传尚未完成，确定离开吗？稍后选择同一文件可继续上传',
    'The upload is not complete. Leave? To resume later, select the same file.',
  ],
  unreadable: ['文件无法读取，请重新选择', 'The file cannot be read. Select it again.'],
} as const satisfies Record<string, Text>;

const { fields } = fileList.forms.upload;
const create: Endpoint = fileCalls.create;

/** The file name is the default of the name field. */
const named = (state: FormState): FormState => ({
  ...state,
  put: (patch) => {
    const { file } = patch;
    const last = state.values.file;
    const isOwn = state.values.name && state.values.name !== (last instanceof File && last.name);
    state.put({ ...patch, ...(file instanceof File && !isOwn && { name: file.name }) });
  },
});

interface UploadFormProps {
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** Validated before the upload; a large file is sent in chunks and resumes after a disconnect or reload. */
export const UploadForm = ({ onDone, onCancel }: UploadFormProps) => {
  const id = useId();
  const state = named(useForm(fields, startValues(fields, undefined), {}));
  const [progress, setProgress] = useState<UploadProgress>();
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);
  // The form is rendered after its dialog, so it sets the focus itself.
  useEffect(() => focusControl(`${id}-${Object.keys(fields)[0]}`), [id]);

  const uploadInChunks = async (file: File, rest: Values) => {
    const kind = fileType.find((option) => option.id === rest.type)?.id ?? 'other';
    const stop = new AbortController();
    abort.current = stop;
    try {
      const show = (sent: number, before: number) => setProgress({ sent, before, total: file.size, isBroken: false });
      return await sendChunks(file, kind, { signal: stop.signal, progress: show });
    } catch (error) {
      setProgress((old) => old && { ...old, isBroken: true });
      if (error instanceof CallError) throw error;
      // No message if the dialog was closed; a moved or changed file shows one.
      if (!stop.signal.aborted) notify.error(t(texts.unreadable));
      return undefined;
    }
  };
  const onSubmit = async (values: Values, key: string) => {
    const { file, ...rest } = values;
    if (!(file instanceof File)) return;
    const content = file.size > limits.fileChunkBytes ? await uploadInChunks(file, rest) : { file };
    if (!content) return;
    await call(create, { ...rest, ...content }, { overlay: false, key });
    onDone();
  };
  const { busy, submit } = useSubmit({ id, fields, state, onSubmit });
  const mayLeave = async () =>
    busy
      ? await confirm(texts.leave, { danger: true, of: state.values.file instanceof File ? state.values.file.name : undefined })
      : state.unchanged || (await mayDiscard());
  useLeaveGuard(() => busy || !state.unchanged);
  useCloseGuard(mayLeave);
  const cancel = async () => {
    if (await mayLeave()) onCancel();
  };
  const kind = fileType.find((option) => option.id === state.values.type)?.id;
  const notes: Readonly<Record<string, ReactNode>> = {
    file: progress && <UploadNote {...progress} />,
    type: kind && <span className="hint">{t(fileKinds[kind].text)}</span>,
  };
  return (
    <form
      className="record-form"
      noValidate
      aria-label={t(fileList.forms.upload.title)}
      onSubmit={(e) => {
        e.preventDefault();
        void submit();
      }}
    >
      <div className="fields">
        {Object.entries(fields).map(([name, field]) => (
          <FieldRow key={name} id={`${id}-${name}`} name={name} field={field} form={state} scope={{}} self={undefined} note={notes[name]} />
        ))}
      </div>
      <div className="dialog-foot">
        <span className="spring" />
        <Button onClick={() => void cancel()}>{t(texts.cancel)}</Button>
        <Button kind="primary" type="submit" loading={busy}>
          {t(progress?.isBroken ? texts.resume : texts.submit)}
        </Button>
      </div>
    </form>
  );
};
