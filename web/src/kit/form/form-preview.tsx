import { check } from '@farlink/contract/kit/check.ts';
import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import type { PreviewNote } from '@farlink/contract/kit/page.ts';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../net/call.ts';
import { inputFor } from '../net/wire.ts';
import { usePasswordRule } from './password-rule.ts';
import { useFilled } from './use-filled.ts';
import type { FormState } from './use-form.ts';

interface Preview {
  readonly notes: readonly PreviewNote[];
  readonly values: Values;
}

const none: Preview = { notes: [], values: {} };
const isNote = (value: unknown): value is PreviewNote => isRecord(value) && typeof value.text === 'string';
const previewOf = (reply: unknown): Preview => ({
  notes: isRecord(reply) && Array.isArray(reply.notes) ? reply.notes.filter(isNote) : [],
  values: isRecord(reply) && isRecord(reply.values) ? reply.values : {},
});

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
  useFilled(form, enough ? data.values : none.values);
  return (
    <div className="form-preview" role="status">
      {enough &&
        data.notes.map(({ text, tone }) => (
          <p key={text} data-tone={tone}>
            {text}
          </p>
        ))}
    </div>
  );
};
