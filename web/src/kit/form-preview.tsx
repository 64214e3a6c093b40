import { check } from '@farlink/contract/kit/check.ts';
import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import type { Values } from '@farlink/contract/kit/field.ts';
import type { PreviewNote } from '@farlink/contract/kit/resource.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from './call.ts';
import { usePasswordRule } from './password-rule.ts';
import { inputFor, isObject } from './wire.ts';

const isNote = (value: unknown): value is PreviewNote => isObject(value) && typeof value.text === 'string';
const notesOf = (answer: unknown): PreviewNote[] => (isObject(answer) && Array.isArray(answer.notes) ? answer.notes.filter(isNote) : []);

/** What the values of a form would come to, asked as soon as they are enough to tell. */
export const FormPreview = ({ call: e, values }: { readonly call: Endpoint; readonly values: Values }) => {
  const input = inputFor(e, values);
  const passwordRule = usePasswordRule();
  const enough = Object.keys(check(e.input ?? {}, input, { passwordRule }).errors).length === 0;
  const { data = [] } = useQuery({
    queryKey: ['preview', e.path, input],
    queryFn: async ({ signal }) => notesOf(await call(e, input, { silent: true, overlay: false, signal })),
    enabled: enough,
    retry: false,
  });
  return (
    <div className="form-preview" role="status">
      {enough &&
        data.map(({ text, tone }) => (
          <p key={text} data-tone={tone}>
            {text}
          </p>
        ))}
    </div>
  );
};
