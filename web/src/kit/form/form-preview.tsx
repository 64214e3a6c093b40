import { check } from '@farlink/contract/kit/check.ts';
import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { NoteLines } from '../../ui/native/note-lines.tsx';
import { call } from '../net/call.ts';
import { inputFor } from '../net/wire.ts';
import { usePasswordRule } from './password-rule.ts';
import { type Preview, previewOf } from './preview.ts';
import { useFilled } from './use-filled.ts';
import type { FormState } from './use-form.ts';

const none: Preview = { notes: [], values: {} };

interface FormPreviewProps {
  readonly call: Endpoint;
  readonly form: FormState;
  /** The rows of the form. */
  readonly ids: readonly number[] | undefined;
}

/** Shows the effect of the form values as soon as they are complete. */
export const FormPreview = ({ call: e, form, ids }: FormPreviewProps) => {
  const passwordRule = usePasswordRule();
  // Values filled in by the preview do not change its result.
  const { received: _, ...input } = inputFor(e, { ...form.values, ids });
  const enough = Object.keys(check(e.input ?? {}, input, { passwordRule }).errors).length === 0;
  const { data = none } = useQuery({
    queryKey: ['preview', e.path, input],
    queryFn: async ({ signal }) => previewOf(await call(e, input, { silent: true, overlay: false, signal })),
    enabled: enough,
    retry: false,
    // A price can have changed since the form was last open.
    staleTime: 0,
  });
  useFilled(form, enough ? data.values : none.values, input);
  return <NoteLines notes={enough ? data.notes : []} className="form-preview" />;
};
